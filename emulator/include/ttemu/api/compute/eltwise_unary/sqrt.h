// SFPU: sqrt.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(sqrt_tile_init, TTEMU_SQRT)
TTEMU_SFPU_ONE(sqrt_tile, TTEMU_SQRT)
