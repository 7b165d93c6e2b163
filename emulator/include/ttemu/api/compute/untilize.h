// Tiles to the rows of a matrix.
#pragma once
#include "ttemu/api/compute/common.h"

namespace ckernel {
#if TTEMU_API < 202603
// To the middle of 2025 the engine is started up with it; the short form goes between other ops.
inline void untilize_init(uint32_t cb, uint32_t out = 16, TTEMU_LINE) {
  ttemu_startup_once(cb, cb, out, line);
  ttemu_tilize_init(true, cb, line);
}
inline void untilize_init_short(uint32_t cb, TTEMU_LINE) { ttemu_tilize_init(true, cb, line); }
#else
inline void untilize_init(uint32_t cb, TTEMU_LINE) { ttemu_tilize_init(true, cb, line); }
#endif
template <uint32_t tBlock = 1>
inline void untilize_block(uint32_t in, uint32_t width, uint32_t out, TTEMU_LINE) {
  ttemu_untilize_block(in, width, out, 1, width, 0, line);
}
inline void untilize_uninit(uint32_t, TTEMU_LINE) { ttemu_tilize_uninit(line); }
} // namespace ckernel
using namespace ckernel;
