// SFPU: comparisons with zero.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(gtz_tile_init, TTEMU_GTZ)
TTEMU_SFPU_ONE(gtz_tile, TTEMU_GTZ)
TTEMU_SFPU_INIT(ltz_tile_init, TTEMU_LTZ)
TTEMU_SFPU_ONE(ltz_tile, TTEMU_LTZ)
TTEMU_SFPU_INIT(gez_tile_init, TTEMU_GEZ)
TTEMU_SFPU_ONE(gez_tile, TTEMU_GEZ)
TTEMU_SFPU_INIT(lez_tile_init, TTEMU_LEZ)
TTEMU_SFPU_ONE(lez_tile, TTEMU_LEZ)
TTEMU_SFPU_INIT(eqz_tile_init, TTEMU_EQZ)
TTEMU_SFPU_ONE(eqz_tile, TTEMU_EQZ)
TTEMU_SFPU_INIT(nez_tile_init, TTEMU_NEZ)
TTEMU_SFPU_ONE(nez_tile, TTEMU_NEZ)
