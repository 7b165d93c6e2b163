// Links between chips.
#pragma once
#include <tt-metalium/experimental/fabric/fabric_types.hpp>
