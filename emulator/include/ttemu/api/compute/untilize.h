// Tiles to the rows of a matrix.
#pragma once
#include "ttemu/api/compute/common.h"

namespace ckernel {
inline void untilize_init(uint32_t cb, TTEMU_LINE) { ttemu_tilize_init(true, cb, line); }
template <uint32_t tBlock = 1>
inline void untilize_block(uint32_t in, uint32_t width, uint32_t out, TTEMU_LINE) {
  ttemu_untilize_block(in, width, out, 1, width, 0, line);
}
inline void untilize_uninit(uint32_t, TTEMU_LINE) { ttemu_tilize_uninit(line); }
} // namespace ckernel
using namespace ckernel;
