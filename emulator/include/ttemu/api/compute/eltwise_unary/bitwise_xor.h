// SFPU: bitwise xor with a scalar.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(bitwise_xor_tile_init, TTEMU_BITWISE_XOR)
TTEMU_SFPU_SCALAR(bitwise_xor_tile, TTEMU_BITWISE_XOR)
} // namespace ckernel
using namespace ckernel;
