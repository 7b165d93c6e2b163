// SFPU: hardmish.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(hardmish_tile_init, TTEMU_HARDMISH)
TTEMU_SFPU_ONE(hardmish_tile, TTEMU_HARDMISH)
} // namespace ckernel
using namespace ckernel;
