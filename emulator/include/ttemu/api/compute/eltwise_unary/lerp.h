// SFPU: a + c (b - a).
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(lerp_tile_init, TTEMU_LERP)
TTEMU_SFPU_THREE(lerp_tile, TTEMU_LERP)
} // namespace ckernel
using namespace ckernel;
