// SFPU: rsqrt.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(rsqrt_tile_init, TTEMU_RSQRT)
TTEMU_SFPU_ONE(rsqrt_tile, TTEMU_RSQRT)
