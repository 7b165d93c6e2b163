// SFPU: x log(y).
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(xlogy_binary_tile_init, TTEMU_XLOGY)
TTEMU_SFPU_TWO(xlogy_binary_tile, TTEMU_XLOGY)
} // namespace ckernel
using namespace ckernel;
