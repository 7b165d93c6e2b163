// SFPU: remainder, with the sign of the divisor; the second scalar is the reciprocal.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT_SCALARS2(remainder_tile_init, TTEMU_REMAINDER)
TTEMU_SFPU_SCALARS2(remainder_tile, TTEMU_REMAINDER)
} // namespace ckernel
using namespace ckernel;
