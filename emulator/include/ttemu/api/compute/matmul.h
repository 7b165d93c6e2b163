// Products of tiles.
#pragma once
#include "ttemu/api/compute/common.h"

#if TTEMU_API < 202608
inline void mm_init(uint32_t a, uint32_t b, uint32_t out, uint32_t transpose = 0, TTEMU_LINE) {
  (void)transpose;
  ttemu_startup(a, b, out, true, line);
  ttemu_binary_init(TTEMU_MATMUL, a, b, line);
}
inline void mm_init_short(uint32_t a, uint32_t b, uint32_t transpose = 0, TTEMU_LINE) {
  (void)transpose;
  ttemu_binary_init(TTEMU_MATMUL, a, b, line);
}
#else
inline void matmul_init(uint32_t a, uint32_t b, uint32_t transpose = 0, TTEMU_LINE) {
  (void)transpose;
  ttemu_binary_init(TTEMU_MATMUL, a, b, line);
}
#endif

#if TTEMU_API < 202603
inline void matmul_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                         bool transpose, TTEMU_LINE) {
  (void)transpose;
  ttemu_binary_tiles(TTEMU_MATMUL, a, b, ia, ib, dst, line);
}
#else
inline void matmul_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                         TTEMU_LINE) {
  ttemu_binary_tiles(TTEMU_MATMUL, a, b, ia, ib, dst, line);
}
#endif
