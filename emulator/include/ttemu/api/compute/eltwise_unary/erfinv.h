// SFPU: the inverse of erf.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(erfinv_tile_init, TTEMU_ERFINV)
TTEMU_SFPU_ONE(erfinv_tile, TTEMU_ERFINV)
} // namespace ckernel
using namespace ckernel;
