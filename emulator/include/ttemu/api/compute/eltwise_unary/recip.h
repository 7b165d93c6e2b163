// SFPU: recip.
#pragma once
#include "ttemu/api/compute/common.h"

inline void recip_tile_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_RECIP, line); }
inline void recip_tile(uint32_t dst, TTEMU_LINE) { ttemu_sfpu_tile(TTEMU_RECIP, dst, line); }
