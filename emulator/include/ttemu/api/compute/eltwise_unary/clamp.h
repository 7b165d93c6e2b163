// SFPU: clamp.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(clamp_tile_init, TTEMU_CLAMP)
TTEMU_SFPU_SCALARS2(clamp_tile, TTEMU_CLAMP)
TTEMU_SFPU_SCALARS2(clamp_tile_int32, TTEMU_CLAMP_INT)
} // namespace ckernel
using namespace ckernel;
