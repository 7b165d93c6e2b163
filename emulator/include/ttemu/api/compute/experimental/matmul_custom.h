// Experimental.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(mm_no_mop_init_short, "experimental functions are not emulated")
TTEMU_NOT_EMULATED(matmul_block_no_mop, "experimental functions are not emulated")
TTEMU_NOT_EMULATED(mm_no_mop_reinit_short, "experimental functions are not emulated")
TTEMU_NOT_EMULATED(mm_no_mop_reinit_after_sub, "experimental functions are not emulated")
} // namespace ckernel
using namespace ckernel;
