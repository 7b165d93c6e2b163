// SFPU: threshold.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(threshold_tile_init, TTEMU_THRESHOLD)
TTEMU_SFPU_SCALARS2(threshold_tile, TTEMU_THRESHOLD)
} // namespace ckernel
using namespace ckernel;
