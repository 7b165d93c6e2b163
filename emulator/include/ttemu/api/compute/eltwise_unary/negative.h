// SFPU: negation.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(negative_tile_init, TTEMU_NEGATIVE)
TTEMU_SFPU_ONE(negative_tile, TTEMU_NEGATIVE)
TTEMU_SFPU_ONE(negative_tile_int32, TTEMU_NEGATIVE_INT)
} // namespace ckernel
using namespace ckernel;
