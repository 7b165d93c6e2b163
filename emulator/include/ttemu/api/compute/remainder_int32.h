// SFPU: remainders of integers, with the sign of the divisor.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(remainder_int32_tile_init, TTEMU_REMAINDER_INT)
TTEMU_SFPU_TWO(remainder_int32_tile, TTEMU_REMAINDER_INT)
} // namespace ckernel
using namespace ckernel;
