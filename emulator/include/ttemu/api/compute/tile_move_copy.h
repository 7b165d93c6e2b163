// Copies of tiles to DST.
#pragma once
#include "ttemu/api/compute/common.h"

#if TTEMU_API < 202608
inline void copy_tile_to_dst_init_short(uint32_t cb, TTEMU_LINE) { ttemu_copy_init(cb, line); }
#endif
#if TTEMU_API == 202603
inline void copy_tile_init(uint32_t cb, TTEMU_LINE) { ttemu_copy_init(cb, line); }
#endif
#if TTEMU_API >= 202608
inline void copy_init(uint32_t cb, TTEMU_LINE) { ttemu_copy_init(cb, line); }
#endif

inline void copy_tile(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_copy_tile(cb, index, dst, line);
}
