// As the runtime's own sources name it.
#pragma once
#include <tt-metalium/core_coord.hpp>
