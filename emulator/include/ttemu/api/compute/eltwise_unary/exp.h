// SFPU: exp.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(exp_tile_init, TTEMU_EXP)
TTEMU_SFPU_ONE(exp_tile, TTEMU_EXP)
