// SFPU: bitwise not.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(bitwise_not_tile_init, TTEMU_BITWISE_NOT)
TTEMU_SFPU_ONE(bitwise_not_tile, TTEMU_BITWISE_NOT)
} // namespace ckernel
using namespace ckernel;
