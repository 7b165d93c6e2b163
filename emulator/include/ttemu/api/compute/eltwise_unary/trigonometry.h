// SFPU: sine and cosine.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(sin_tile_init, TTEMU_SIN)
TTEMU_SFPU_ONE(sin_tile, TTEMU_SIN)
TTEMU_SFPU_INIT(cos_tile_init, TTEMU_COS)
TTEMU_SFPU_ONE(cos_tile, TTEMU_COS)
