// SFPU: sums of integers.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(add_int_tile_init, TTEMU_ADD_INT)
TTEMU_SFPU_TWO_OF_FORMAT(add_int_tile, TTEMU_ADD_INT)
} // namespace ckernel
using namespace ckernel;
