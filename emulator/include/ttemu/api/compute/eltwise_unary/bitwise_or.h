// SFPU: bitwise or with a scalar.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(bitwise_or_tile_init, TTEMU_BITWISE_OR)
TTEMU_SFPU_SCALAR(bitwise_or_tile, TTEMU_BITWISE_OR)
} // namespace ckernel
using namespace ckernel;
