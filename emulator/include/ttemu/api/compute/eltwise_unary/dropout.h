// Random numbers.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(dropout_tile, "random numbers are not emulated")
TTEMU_NOT_EMULATED(dropout_kernel_init, "random numbers are not emulated")
} // namespace ckernel
using namespace ckernel;
