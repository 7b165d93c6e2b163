// Transposed tiles.
#pragma once
#include "ttemu/api/compute/common.h"

namespace ckernel {
inline void transpose_wh_init(uint32_t cb, uint32_t out TTEMU_OR(16), TTEMU_LINE) {
  ttemu_startup(cb, cb, out, false, line);
  ttemu_transpose_init(cb, line);
}
inline void transpose_wh_init_short(uint32_t cb, TTEMU_LINE) { ttemu_transpose_init(cb, line); }
inline void transpose_wh_tile(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_transpose_tile(cb, index, dst, line);
}
#if TTEMU_API >= 202608
inline void transpose_init(uint32_t cb, TTEMU_LINE) { ttemu_transpose_init(cb, line); }
inline void transpose_tile(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_transpose_tile(cb, index, dst, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
