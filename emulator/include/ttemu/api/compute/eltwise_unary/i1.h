// SFPU: the Bessel function I1.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(i1_tile_init, TTEMU_I1)
TTEMU_SFPU_ONE(i1_tile, TTEMU_I1)
} // namespace ckernel
using namespace ckernel;
