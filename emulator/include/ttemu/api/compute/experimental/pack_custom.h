// Experimental.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(pack_block_init_custom, "experimental functions are not emulated")
} // namespace ckernel
using namespace ckernel;
