// SFPU: quotients of integers, rounded.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(div_int32_floor_tile_init, TTEMU_DIV_INT_FLOOR)
TTEMU_SFPU_TWO(div_int32_floor_tile, TTEMU_DIV_INT_FLOOR)
TTEMU_SFPU_INIT(div_int32_trunc_tile_init, TTEMU_DIV_INT_TRUNC)
TTEMU_SFPU_TWO(div_int32_trunc_tile, TTEMU_DIV_INT_TRUNC)
} // namespace ckernel
using namespace ckernel;
