// Rows of a matrix to tiles. A block is `width` tiles wide, in circular buffers with a page a tile.
#pragma once
#include "ttemu/api/compute/reduce_types.h"
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
#if TTEMU_API < 202603
// Of 2024: the engine is started up with it; the short form goes between other ops.
inline void tilize_init(uint32_t cb, uint32_t, uint32_t out TTEMU_OR(16), TTEMU_LINE) {
  ttemu_startup_once(cb, cb, out, line);
  ttemu_tilize_init(false, cb, line);
}
inline void tilize_init_short(uint32_t cb, uint32_t, uint32_t = 16, TTEMU_LINE) {
  ttemu_tilize_init(false, cb, line);
}
inline void tilize_init_unpack(uint32_t cb, uint32_t, TTEMU_LINE) {
  ttemu_tilize_init(false, cb, line);
}
#else
inline void tilize_init(uint32_t cb, uint32_t, uint32_t, TTEMU_LINE) {
  ttemu_tilize_init(false, cb, line);
}
#endif
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
#endif
#if defined(REDUCE_OP) && defined(REDUCE_DIM)
// Rows become source A on their way to a reduction, without a tile of them in L1.
template <bool tLowest = false, bool tZero = false>
inline void tilizeA_B_reduce_init(uint32_t in, uint32_t scaler, uint32_t, uint32_t out,
                                  uint32_t = 4, uint32_t = 16, TTEMU_LINE) {
  ttemu_startup(in, scaler, out, false, line);
  ttemu_reduce_init_again(static_cast<ttemu_pool>(REDUCE_OP),
                          static_cast<ttemu_reduce_dim>(REDUCE_DIM), line);
  ttemu_reduce_uninit(line); // the packer leaves results as they are
  ttemu_tilize_two_init(line);
}
#if TTEMU_API >= 202608
template <bool tLowest = false, bool tZero = false>
inline void tilizeA_B_reduce_init_short(uint32_t, uint32_t, uint32_t, uint32_t = 4, uint32_t = 16,
                                        TTEMU_LINE) {
  ttemu_reduce_init_again(static_cast<ttemu_pool>(REDUCE_OP),
                          static_cast<ttemu_reduce_dim>(REDUCE_DIM), line);
  ttemu_reduce_uninit(line);
  ttemu_tilize_two_init(line);
}
#endif
#endif
// Unpack's part of `width` ops: 1, 2 or 4 faces of so many rows, and of what is missing the lowest
// number or zero. `tReload`: each face meets the first one of the scaler.
template <bool tLowest = false, bool tReload = false, bool tZeroSource = false, bool tZero = false>
inline void unpack_tilizeA_B_block(uint32_t in, uint32_t scaler, uint32_t width, uint32_t tile,
                                   uint32_t faces = 4, uint32_t rows = 16, TTEMU_LINE) {
  static_assert(!tZeroSource, "unpack_tilizeA_B_block: products of rows are not emulated");
  ttemu_unpack_tilize_two(in, scaler, width, tile, {faces, rows, tLowest, tReload}, line);
}
#if TTEMU_API < 202608
inline void unpack_tilizeA_B_uninit(uint32_t, TTEMU_LINE) { ttemu_tilize_uninit_two(line); }
#endif
} // namespace ckernel
using namespace ckernel;
