// SFPU: left_shift.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(left_shift_tile_init, TTEMU_LEFT_SHIFT)
TTEMU_SFPU_SCALAR(left_shift_tile, TTEMU_LEFT_SHIFT)
} // namespace ckernel
using namespace ckernel;
