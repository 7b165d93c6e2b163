// SFPU: tests of values.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(isinf_tile_init, TTEMU_ISINF)
TTEMU_SFPU_ONE(isinf_tile, TTEMU_ISINF)
TTEMU_SFPU_INIT(isposinf_tile_init, TTEMU_ISPOSINF)
TTEMU_SFPU_ONE(isposinf_tile, TTEMU_ISPOSINF)
TTEMU_SFPU_INIT(isneginf_tile_init, TTEMU_ISNEGINF)
TTEMU_SFPU_ONE(isneginf_tile, TTEMU_ISNEGINF)
TTEMU_SFPU_INIT(isnan_tile_init, TTEMU_ISNAN)
TTEMU_SFPU_ONE(isnan_tile, TTEMU_ISNAN)
TTEMU_SFPU_INIT(isfinite_tile_init, TTEMU_ISFINITE)
TTEMU_SFPU_ONE(isfinite_tile, TTEMU_ISFINITE)
} // namespace ckernel
using namespace ckernel;
