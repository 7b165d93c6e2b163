// SFPU: right_shift.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(right_shift_tile_init, TTEMU_RIGHT_SHIFT)
TTEMU_SFPU_SCALAR(right_shift_tile, TTEMU_RIGHT_SHIFT)
} // namespace ckernel
using namespace ckernel;
