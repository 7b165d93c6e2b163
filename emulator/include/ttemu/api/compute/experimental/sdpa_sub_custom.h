// Experimental.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(sub_bcast_cols_init_short_custom, "experimental functions are not emulated")
TTEMU_NOT_EMULATED(sub_tiles_bcast_cols_custom, "experimental functions are not emulated")
} // namespace ckernel
using namespace ckernel;
