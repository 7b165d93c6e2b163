// SFPU: quotients of integers, as floats.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(div_int32_tile_init, TTEMU_DIV_INT)
TTEMU_SFPU_TWO(div_int32_tile, TTEMU_DIV_INT)
} // namespace ckernel
using namespace ckernel;
