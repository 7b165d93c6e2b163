// SFPU: arithmetic of two tiles of DST.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(add_binary_tile_init, TTEMU_ADD_DST)
TTEMU_SFPU_TWO(add_binary_tile, TTEMU_ADD_DST)
TTEMU_SFPU_INIT(sub_binary_tile_init, TTEMU_SUB_DST)
TTEMU_SFPU_TWO(sub_binary_tile, TTEMU_SUB_DST)
TTEMU_SFPU_INIT(mul_binary_tile_init, TTEMU_MUL_DST)
TTEMU_SFPU_TWO(mul_binary_tile, TTEMU_MUL_DST)
TTEMU_SFPU_INIT(div_binary_tile_init, TTEMU_DIV_DST)
TTEMU_SFPU_TWO(div_binary_tile, TTEMU_DIV_DST)
