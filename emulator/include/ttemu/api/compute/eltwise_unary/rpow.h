// SFPU: a scalar to the power of the value.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(rpow_tile_init, TTEMU_RPOW)
TTEMU_SFPU_SCALAR_MODE(rpow_tile, TTEMU_RPOW)
} // namespace ckernel
using namespace ckernel;
