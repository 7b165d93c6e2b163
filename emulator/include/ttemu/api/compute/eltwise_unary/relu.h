// SFPU: relu.
#pragma once
#include "ttemu/api/compute/common.h"

inline void relu_tile_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_RELU, line); }
inline void relu_tile(uint32_t dst, TTEMU_LINE) { ttemu_sfpu_tile(TTEMU_RELU, dst, line); }
