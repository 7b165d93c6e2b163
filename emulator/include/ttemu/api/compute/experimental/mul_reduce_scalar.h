// Experimental.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(mul_reduce_scalar_init, "experimental functions are not emulated")
TTEMU_NOT_EMULATED(mul_reduce_scalar_tile, "experimental functions are not emulated")
TTEMU_NOT_EMULATED(mul_reduce_scalar_uninit, "experimental functions are not emulated")
} // namespace ckernel
using namespace ckernel;
