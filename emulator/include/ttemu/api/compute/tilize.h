// Rows of a matrix to tiles. A block is `width` tiles wide, in circular buffers with a page a tile.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
inline void tilize_init(uint32_t cb, uint32_t, uint32_t, TTEMU_LINE) {
  ttemu_tilize_init(false, cb, line);
}
inline void tilize_init_short_with_dt(uint32_t, uint32_t cb, uint32_t, uint32_t, TTEMU_LINE) {
  ttemu_reconfig_srca(cb, line);
  ttemu_tilize_init(false, cb, line);
}
inline void tilize_block(uint32_t in, uint32_t width, uint32_t out, uint32_t from = 0,
                         uint32_t to = 0, TTEMU_LINE) {
  ttemu_tilize_block(in, width, out, from, to, line);
}
inline void tilize_uninit(uint32_t, uint32_t, TTEMU_LINE) { ttemu_tilize_uninit(line); }
inline void tilize_uninit_with_dt(uint32_t, uint32_t cb, uint32_t, TTEMU_LINE) {
  ttemu_tilize_uninit(line);
  ttemu_reconfig_srca(cb, line);
}
// The faster forms do the same.
inline void fast_tilize_init(uint32_t cb, uint32_t, uint32_t, TTEMU_LINE) {
  ttemu_tilize_init(false, cb, line);
}
inline void fast_tilize_init_with_dt(uint32_t cb, uint32_t, uint32_t, TTEMU_LINE) {
  ttemu_reconfig_srca(cb, line);
  ttemu_tilize_init(false, cb, line);
}
inline void fast_tilize_block(uint32_t in, uint32_t width, uint32_t out, uint32_t from = 0,
                              uint32_t to = 0, TTEMU_LINE) {
  ttemu_tilize_block(in, width, out, from, to, line);
}
#if TTEMU_API < 202608
inline void fast_tilize_uninit(uint32_t, uint32_t, TTEMU_LINE) { ttemu_tilize_uninit(line); }
#else
inline void fast_tilize_uninit(uint32_t, uint32_t, uint32_t, TTEMU_LINE) {
  ttemu_tilize_uninit(line);
}
inline void fast_tilize_init_skip_remap(uint32_t cb, uint32_t, uint32_t, TTEMU_LINE) {
  ttemu_tilize_init(false, cb, line);
}
inline void fast_tilize_init_with_dt_skip_remap(uint32_t cb, uint32_t width, uint32_t out,
                                                TTEMU_LINE) {
  fast_tilize_init_with_dt(cb, width, out, line);
}
TTEMU_NOT_EMULATED(tilizeA_B_reduce_init_short,
                   "tilize fused with a reduction is not emulated; use tilize_block")
#endif
TTEMU_NOT_EMULATED(tilizeA_B_reduce_init,
                   "tilize fused with a reduction is not emulated; use tilize_block")
TTEMU_NOT_EMULATED(unpack_tilizeA_B_block,
                   "tilize fused with a reduction is not emulated; use tilize_block")
#if TTEMU_API < 202608
TTEMU_NOT_EMULATED(unpack_tilizeA_B_uninit,
                   "tilize fused with a reduction is not emulated; use tilize_block")
#endif
} // namespace ckernel
using namespace ckernel;
