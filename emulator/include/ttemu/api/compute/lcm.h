// SFPU: the least common multiple.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(lcm_tile_init, TTEMU_LCM)
TTEMU_SFPU_TWO(lcm_tile, TTEMU_LCM)
} // namespace ckernel
using namespace ckernel;
