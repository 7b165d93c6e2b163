// SFPU: exp.
#pragma once
#include "ttemu/api/compute/common.h"

inline void exp_tile_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_EXP, line); }
inline void exp_tile(uint32_t dst, TTEMU_LINE) { ttemu_sfpu_tile(TTEMU_EXP, dst, line); }
