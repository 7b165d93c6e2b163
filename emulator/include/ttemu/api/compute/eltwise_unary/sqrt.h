// SFPU: the square root.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(sqrt_tile_init, TTEMU_SQRT)
TTEMU_SFPU_APPROX(sqrt_tile, TTEMU_SQRT, TTEMU_SQRT_APPROX, false)
} // namespace ckernel
using namespace ckernel;
