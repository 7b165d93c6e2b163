// Tiles to the rows of a matrix, by the packer: from a circular buffer, or from DST.
#pragma once
#include "ttemu/api/compute/common.h"

namespace ckernel {
inline constexpr uint32_t TILE_C_DIM = 32;

template <uint32_t tBlock = 8, uint32_t tFull = tBlock>
inline void pack_untilize_init(uint32_t in, uint32_t out, TTEMU_LINE) {
#if TTEMU_API < 202603
  ttemu_startup_once(in, in, out, line);
#else
  (void)out;
#endif
  ttemu_tilize_init(true, in, line);
}
template <uint32_t tBlock = 8, uint32_t tFull = tBlock>
inline void pack_untilize_block(uint32_t in, uint32_t rows, uint32_t out, uint32_t column = 0,
                                TTEMU_LINE) {
  ttemu_untilize_block(in, tBlock, out, rows, tFull, column, line);
}
#if TTEMU_API >= 202608
template <uint32_t tBlock = 8, uint32_t tFull = tBlock>
inline void pack_untilize_init_skip_remap(uint32_t in, uint32_t, TTEMU_LINE) {
  ttemu_tilize_init(true, in, line);
}
#endif
template <uint32_t tBlock = 8, uint32_t tFull = tBlock, bool tNarrow = false,
          uint32_t tRow = TILE_C_DIM, bool... tOptions>
inline void pack_untilize_dest_init(uint32_t, uint32_t = 16, uint32_t = 4, TTEMU_LINE) {
  static_assert(!tNarrow && tRow == TILE_C_DIM, "pack_untilize_dest: narrow rows are not emulated");
  ttemu_pack_untilize_init(true, line);
}
template <uint32_t tBlock = 8, uint32_t tFull = tBlock, bool tDiagonal = false,
          bool tNarrow = false, uint32_t tRow = TILE_C_DIM, uint32_t tFirst = 0,
          bool tDense = false>
inline void pack_untilize_dest(uint32_t out, uint32_t rows = 1, uint32_t column = 0,
                               uint32_t face_rows = 16, uint32_t faces = 4, uint32_t first = 0,
                               TTEMU_LINE) {
  static_assert(!tDiagonal && !tNarrow && tRow == TILE_C_DIM,
                "pack_untilize_dest: narrow rows are not emulated");
  ttemu_pack_untilize(tFirst + first, tBlock, out, rows, tFull, column, face_rows, faces, line);
}
#if TTEMU_API < 202603
// By their names before 2026.
template <uint32_t tBlock = 8, uint32_t tFull = tBlock, bool... tOptions>
inline void pack_untilize_init_short(uint32_t in, uint32_t, TTEMU_LINE) {
  ttemu_tilize_init(true, in, line);
}
template <uint32_t tBlock = 8, uint32_t tFull = tBlock, bool tDiagonal = false,
          bool tNarrow = false, uint32_t tRow = TILE_C_DIM>
inline void pack_untilize_dst_init_short(uint32_t out, uint32_t face_rows = 16, uint32_t faces = 4,
                                         TTEMU_LINE) {
  pack_untilize_dest_init<tBlock, tFull, tNarrow, tRow>(out, face_rows, faces, line);
}
template <uint32_t tBlock = 8, uint32_t tFull = tBlock, bool tDiagonal = false,
          bool tNarrow = false, uint32_t tRow = TILE_C_DIM>
inline void pack_untilize_dst(uint32_t out, uint32_t rows = 1, uint32_t column = 0,
                              uint32_t face_rows = 16, uint32_t faces = 4, uint32_t first = 0,
                              TTEMU_LINE) {
  pack_untilize_dest<tBlock, tFull, tDiagonal, tNarrow, tRow>(out, rows, column, face_rows, faces,
                                                              first, line);
}
#endif
// Unpack and math stay as they are, but for the half of them that pack_untilize_init has set up;
// the packer gets back to tiles, and to the format of the buffer.
inline void pack_untilize_uninit(uint32_t out, TTEMU_LINE) {
  ttemu_pack_untilize_init(false, line);
  ttemu_untilize_uninit(line);
#if TTEMU_API >= 202603
  ttemu_reconfig_pack(out, line);
  ttemu_pack_tile_shape(out, line);
#else
  (void)out;
#endif
}
} // namespace ckernel
using namespace ckernel;
