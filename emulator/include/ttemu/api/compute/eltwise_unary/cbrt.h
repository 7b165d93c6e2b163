// SFPU: the cube root.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(cbrt_tile_init, TTEMU_CBRT)
TTEMU_SFPU_ONE(cbrt_tile, TTEMU_CBRT)
} // namespace ckernel
using namespace ckernel;
