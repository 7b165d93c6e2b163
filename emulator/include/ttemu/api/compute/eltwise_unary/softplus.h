// SFPU: softplus.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(softplus_tile_init, TTEMU_SOFTPLUS)
TTEMU_SFPU_SCALARS3(softplus_tile, TTEMU_SOFTPLUS)
} // namespace ckernel
using namespace ckernel;
