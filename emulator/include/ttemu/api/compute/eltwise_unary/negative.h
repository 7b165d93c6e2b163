// SFPU: negative.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(negative_tile_init, TTEMU_NEGATIVE)
TTEMU_SFPU_ONE(negative_tile, TTEMU_NEGATIVE)
