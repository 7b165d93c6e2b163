// SFPU: the greatest common divisor.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(gcd_tile_init, TTEMU_GCD)
TTEMU_SFPU_TWO(gcd_tile, TTEMU_GCD)
