// SFPU: the Bessel function I0.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(i0_tile_init, TTEMU_I0)
TTEMU_SFPU_ONE(i0_tile, TTEMU_I0)
} // namespace ckernel
using namespace ckernel;
