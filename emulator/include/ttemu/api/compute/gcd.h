// SFPU: the greatest common divisor.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(gcd_tile_init, TTEMU_GCD)
TTEMU_SFPU_TWO(gcd_tile, TTEMU_GCD)
} // namespace ckernel
using namespace ckernel;
