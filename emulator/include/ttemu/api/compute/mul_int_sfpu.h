// SFPU: products of integers.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT_OF_FORMAT(mul_int_tile_init, TTEMU_MUL_INT)
TTEMU_SFPU_TWO_OF_FORMAT(mul_int_tile, TTEMU_MUL_INT)
} // namespace ckernel
using namespace ckernel;
