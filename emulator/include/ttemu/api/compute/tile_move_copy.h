// Copies of tiles to DST.
#pragma once
#include "ttemu/api/compute/common.h"

namespace ckernel {
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void copy_tile_to_dst_init_short(uint32_t cb TTEMU_OR(0), uint32_t transpose = 0,
                                        uint32_t = 0, TTEMU_LINE) {
  ttemu_copy_init(cb, transpose != 0, line);
}
inline void copy_tile_to_dst_init_short_with_dt(uint32_t, uint32_t cb, uint32_t transpose = 0,
                                                TTEMU_LINE) {
  ttemu_reconfig_srca(cb, line);
  ttemu_copy_init(cb, transpose != 0, line);
}
#endif
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void copy_tile_init(uint32_t cb TTEMU_OR(0), TTEMU_LINE) {
  ttemu_copy_init(cb, false, line);
}
#endif
#if TTEMU_API < 202603
inline void copy_tile_matmul_partials_init_short_with_dt(uint32_t cb, TTEMU_LINE) {
  ttemu_reconfig_srca(cb, line);
  ttemu_copy_init(cb, false, line);
}
#endif
#if TTEMU_API >= 202608
inline void copy_init(uint32_t cb, uint32_t transpose = 0, uint32_t = 0, TTEMU_LINE) {
  ttemu_copy_init(cb, transpose != 0, line);
}
#endif

inline void copy_tile(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_copy_tile(cb, index, dst, line);
}
// Tiles in a row.
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void copy_block_matmul_partials(uint32_t cb, uint32_t index, uint32_t dst, uint32_t count,
                                       TTEMU_LINE) {
  for (uint32_t i = 0; i < count; ++i) ttemu_copy_tile(cb, index + i, dst + i, line);
}
#endif
#if TTEMU_API >= 202608
inline void copy_block(uint32_t cb, uint32_t index, uint32_t dst, uint32_t count, TTEMU_LINE) {
  for (uint32_t i = 0; i < count; ++i) ttemu_copy_tile(cb, index + i, dst + i, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
