// SFPU functions without a header of their own.
#pragma once
#include "ttemu/api/compute/common.h"

inline void tanh_tile_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_TANH, line); }
inline void tanh_tile(uint32_t dst, TTEMU_LINE) { ttemu_sfpu_tile(TTEMU_TANH, dst, line); }
inline void sigmoid_tile_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_SIGMOID, line); }
inline void sigmoid_tile(uint32_t dst, TTEMU_LINE) { ttemu_sfpu_tile(TTEMU_SIGMOID, dst, line); }
inline void abs_tile_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_ABS, line); }
inline void abs_tile(uint32_t dst, TTEMU_LINE) { ttemu_sfpu_tile(TTEMU_ABS, dst, line); }
