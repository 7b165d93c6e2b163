// SFPU: rounding to integers.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(rounding_op_tile_init, TTEMU_FLOOR)
TTEMU_SFPU_ONE(floor_tile, TTEMU_FLOOR)
TTEMU_SFPU_ONE(ceil_tile, TTEMU_CEIL)
