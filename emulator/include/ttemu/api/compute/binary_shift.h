// SFPU: shifts of one tile by another.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(binary_shift_tile_init, TTEMU_SHIFT_INT)
TTEMU_SFPU_TWO_OF_FORMAT(binary_left_shift_tile, TTEMU_SHIFT_INT)
TTEMU_SFPU_TWO_OF_FORMAT(binary_right_shift_tile, TTEMU_SHIFT_RIGHT_INT)
TTEMU_SFPU_TWO_OF_FORMAT(binary_logical_right_shift_tile, TTEMU_SHIFT_RIGHT_LOGICAL)
} // namespace ckernel
using namespace ckernel;
