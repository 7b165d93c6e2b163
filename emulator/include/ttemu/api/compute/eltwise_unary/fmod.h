// SFPU: remainder, with the sign of the dividend; the second scalar is the reciprocal.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT_SCALARS2(fmod_tile_init, TTEMU_FMOD)
TTEMU_SFPU_SCALARS2(fmod_tile, TTEMU_FMOD)
} // namespace ckernel
using namespace ckernel;
