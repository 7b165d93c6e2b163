// SFPU: bits of two tiles.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(binary_bitwise_tile_init, TTEMU_AND_INT)
TTEMU_SFPU_TWO_OF_FORMAT(bitwise_and_binary_tile, TTEMU_AND_INT)
TTEMU_SFPU_TWO_OF_FORMAT(bitwise_or_binary_tile, TTEMU_OR_INT)
TTEMU_SFPU_TWO_OF_FORMAT(bitwise_xor_binary_tile, TTEMU_XOR_INT)
} // namespace ckernel
using namespace ckernel;
