// Maxima of rows over a block of tiles.
#pragma once
#include "ttemu/api/compute/reduce_types.h"

namespace ckernel {
// The newest trees name the output.
template <uint32_t tBlock, bool tTrigger = false>
inline void reduce_block_max_row_init(uint32_t = 0, TTEMU_LINE) {
  ttemu_reduce_block_init(tBlock, line);
}
template <uint32_t tBlock, bool tTrigger = false>
inline void reduce_block_max_row(uint32_t in, uint32_t scaler, uint32_t first, uint32_t dst,
                                 TTEMU_LINE) {
  ttemu_reduce_block(tBlock, in, scaler, first, dst, line);
}
template <uint32_t tBlock, bool tTrigger = false>
inline void reduce_block_max_row_reinit_short(TTEMU_LINE) {
  ttemu_reduce_block_init(tBlock, line);
}
template <uint32_t tBlock, bool tTrigger = false>
inline void reduce_block_max_row_reinit_minimal(TTEMU_LINE) {
  ttemu_reduce_block_init(tBlock, line);
}
template <bool tClear = false, bool tTrigger = false>
inline void reduce_block_max_row_uninit(uint32_t, TTEMU_LINE) {
  ttemu_reduce_block_uninit(line);
}
} // namespace ckernel
namespace ttemu {
inline uint32_t block_of_maxima = 1;
inline void init_maxima(uint32_t width, uint32_t line) {
  block_of_maxima = width;
  ttemu_reduce_block_init(width, line);
}
} // namespace ttemu
namespace ckernel {
inline void reduce_block_max_row_init_runtime(uint32_t width, bool = false, TTEMU_LINE) {
  ttemu::init_maxima(width, line);
}
inline void reduce_block_max_row_reinit_minimal_runtime(uint32_t width, bool = false, TTEMU_LINE) {
  ttemu::init_maxima(width, line);
}
inline void reduce_block_max_row_reinit_short_runtime(uint32_t width, bool = false, TTEMU_LINE) {
  ttemu::init_maxima(width, line);
}
inline void reduce_block_max_row_runtime(uint32_t in, uint32_t scaler, uint32_t first, uint32_t dst,
                                         bool = false, TTEMU_LINE) {
  ttemu_reduce_block(ttemu::block_of_maxima, in, scaler, first, dst, line);
}
inline void reduce_block_max_row_uninit_runtime(uint32_t, bool = false, TTEMU_LINE) {
  ttemu_reduce_block_uninit(line);
}
} // namespace ckernel
using namespace ckernel;
