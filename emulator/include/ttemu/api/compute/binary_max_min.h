// SFPU: the larger or smaller of two tiles of DST.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(binary_max_tile_init, TTEMU_MAX_DST)
TTEMU_SFPU_TWO(binary_max_tile, TTEMU_MAX_DST)
TTEMU_SFPU_INIT(binary_min_tile_init, TTEMU_MIN_DST)
TTEMU_SFPU_TWO(binary_min_tile, TTEMU_MIN_DST)
