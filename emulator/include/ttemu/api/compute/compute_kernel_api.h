// SFPU functions without a header of their own.
#pragma once
#include "ttemu/api/compute/sfpu.h"

TTEMU_SFPU_INIT(tanh_tile_init, TTEMU_TANH)
TTEMU_SFPU_ONE(tanh_tile, TTEMU_TANH)
TTEMU_SFPU_INIT(sigmoid_tile_init, TTEMU_SIGMOID)
TTEMU_SFPU_ONE(sigmoid_tile, TTEMU_SIGMOID)
TTEMU_SFPU_INIT(abs_tile_init, TTEMU_ABS)
TTEMU_SFPU_ONE(abs_tile, TTEMU_ABS)
TTEMU_SFPU_INIT(silu_tile_init, TTEMU_SILU)
TTEMU_SFPU_ONE(silu_tile, TTEMU_SILU)
TTEMU_SFPU_INIT(log_tile_init, TTEMU_LOG)
TTEMU_SFPU_ONE(log_tile, TTEMU_LOG)
TTEMU_SFPU_INIT(exp2_tile_init, TTEMU_EXP2)
TTEMU_SFPU_ONE(exp2_tile, TTEMU_EXP2)
TTEMU_SFPU_INIT(expm1_tile_init, TTEMU_EXPM1)
TTEMU_SFPU_ONE(expm1_tile, TTEMU_EXPM1)
TTEMU_SFPU_INIT(square_tile_init, TTEMU_SQUARE)
TTEMU_SFPU_ONE(square_tile, TTEMU_SQUARE)
TTEMU_SFPU_INIT(sign_tile_init, TTEMU_SIGN)
TTEMU_SFPU_ONE(sign_tile, TTEMU_SIGN)
