// SFPU: differences of integers.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(sub_int_tile_init, TTEMU_SUB_INT)
TTEMU_SFPU_TWO_OF_FORMAT(sub_int_tile, TTEMU_SUB_INT)
TTEMU_SFPU_INIT(rsub_int_tile_init, TTEMU_RSUB_INT)
TTEMU_SFPU_TWO_OF_FORMAT(rsub_int_tile, TTEMU_RSUB_INT)
} // namespace ckernel
using namespace ckernel;
