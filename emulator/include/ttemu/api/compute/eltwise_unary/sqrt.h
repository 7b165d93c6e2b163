// SFPU: sqrt.
#pragma once
#include "ttemu/api/compute/common.h"

inline void sqrt_tile_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_SQRT, line); }
inline void sqrt_tile(uint32_t dst, TTEMU_LINE) { ttemu_sfpu_tile(TTEMU_SQRT, dst, line); }
