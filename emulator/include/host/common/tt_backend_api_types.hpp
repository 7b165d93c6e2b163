// Names of the chips.
#pragma once
#include <tt-metalium/tt_backend_api_types.hpp>
