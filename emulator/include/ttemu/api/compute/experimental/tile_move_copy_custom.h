// Experimental.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(copy_tile_custom, "experimental functions are not emulated")
} // namespace ckernel
using namespace ckernel;
