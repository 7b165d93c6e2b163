// SFPU: remainders, with the sign of the dividend.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(fmod_int32_tile_init, TTEMU_FMOD_INT)
TTEMU_SFPU_TWO(fmod_int32_tile, TTEMU_FMOD_INT)
TTEMU_SFPU_INIT(fmod_binary_tile_init, TTEMU_FMOD_DST)
TTEMU_SFPU_TWO(fmod_binary_tile, TTEMU_FMOD_DST)
} // namespace ckernel
using namespace ckernel;
