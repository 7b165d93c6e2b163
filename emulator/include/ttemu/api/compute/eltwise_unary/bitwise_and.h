// SFPU: bitwise and with a scalar.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(bitwise_and_tile_init, TTEMU_BITWISE_AND)
TTEMU_SFPU_SCALAR(bitwise_and_tile, TTEMU_BITWISE_AND)
} // namespace ckernel
using namespace ckernel;
