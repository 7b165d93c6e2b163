// Products of tiles, and of blocks of tiles.
#pragma once
#include "ttemu/api/compute/common.h"
#include "ttemu/api/compute/not_emulated.h"

namespace ckernel {
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void mm_init(uint32_t a TTEMU_OR(0), uint32_t b TTEMU_OR(1), uint32_t out TTEMU_OR(16),
                    uint32_t transpose = 0, TTEMU_LINE) {
  ttemu_startup(a, b, out, true, line);
  ttemu_binary_init(TTEMU_MATMUL, transpose != 0, a, b, line);
}
inline void mm_init_short(uint32_t a TTEMU_OR(0), uint32_t b TTEMU_OR(1), uint32_t transpose = 0,
                          TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MATMUL, transpose != 0, a, b, line);
}
// The source register that b goes to held another buffer's format before.
inline void mm_init_short_with_dt(uint32_t a, uint32_t b, uint32_t, uint32_t transpose = 0,
                                  TTEMU_LINE) {
  ttemu_reconfig_srca(b, line);
  ttemu_binary_init(TTEMU_MATMUL, transpose != 0, a, b, line);
}
inline void mm_block_init(uint32_t a, uint32_t b, uint32_t out, uint32_t transpose = 0,
                          uint32_t = 1, uint32_t = 1, uint32_t = 1, TTEMU_LINE) {
  mm_init(a, b, out, transpose, line);
}
inline void mm_block_init_short(uint32_t a, uint32_t b, uint32_t transpose = 0, uint32_t = 1,
                                uint32_t = 1, uint32_t = 1, TTEMU_LINE) {
  mm_init_short(a, b, transpose, line);
}
inline void mm_block_init_short_with_dt(uint32_t a, uint32_t b, uint32_t old,
                                        uint32_t transpose = 0, uint32_t = 1, uint32_t = 1,
                                        uint32_t = 1, TTEMU_LINE) {
  mm_init_short_with_dt(a, b, old, transpose, line);
}
inline void mm_block_init_short_with_both_dt(uint32_t a, uint32_t b, uint32_t, uint32_t,
                                             uint32_t transpose = 0, uint32_t = 1, uint32_t = 1,
                                             uint32_t = 1, TTEMU_LINE) {
  ttemu_reconfig_srca(b, line);
  ttemu_reconfig_srcb(a, line);
  ttemu_binary_init(TTEMU_MATMUL, transpose != 0, a, b, line);
}
#if TTEMU_API < 202603
inline void mm_init_once() {}
#endif
TTEMU_NOT_EMULATED(matmul_tiles_math, "math without unpack is not emulated; use matmul_tiles")
TTEMU_NOT_EMULATED(matmul_block_math_dynamic_throttle,
                   "math without unpack is not emulated; use matmul_tiles")
#endif
#if TTEMU_API >= 202608
inline void matmul_init(uint32_t a, uint32_t b, uint32_t transpose = 0, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MATMUL, transpose != 0, a, b, line);
}
inline void matmul_block_init(uint32_t a, uint32_t b, uint32_t transpose = 0, uint32_t = 1,
                              uint32_t = 1, uint32_t = 1, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MATMUL, transpose != 0, a, b, line);
}
inline void mm_uninit(uint32_t, uint32_t) {}
#endif

#if TTEMU_API < 202603
inline void matmul_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                         uint32_t transpose, TTEMU_LINE) {
  (void)transpose; // the init has decided
  ttemu_binary_tiles(TTEMU_MATMUL, 0, a, b, ia, ib, dst, 0, line);
}
// Trees of the end of 2025 have no such argument any more.
inline void matmul_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                         ttemu::call_line at = ttemu::here()) {
  ttemu_binary_tiles(TTEMU_MATMUL, 0, a, b, ia, ib, dst, 0, at.line);
}
#else
inline void matmul_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                         TTEMU_LINE) {
  ttemu_binary_tiles(TTEMU_MATMUL, 0, a, b, ia, ib, dst, 0, line);
}
#endif
inline void matmul_block(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                         uint32_t transpose, uint32_t ct, uint32_t rt, uint32_t kt, TTEMU_LINE) {
  ttemu_matmul_block(a, b, ia, ib, dst, transpose != 0, ct, rt, kt, line);
}
#if TTEMU_API >= 202608
template <bool tRows = false>
inline void matmul_block_k_loop(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                uint32_t transpose, uint32_t ct, uint32_t rt, uint32_t kt,
                                uint32_t steps, uint32_t step_a, uint32_t step_b, TTEMU_LINE) {
  for (uint32_t k = 0; k < steps; ++k)
    ttemu_matmul_block(a, b, ia + k * step_a, ib + k * step_b, dst, transpose != 0, ct, rt, kt,
                       line);
}
#endif
} // namespace ckernel
using namespace ckernel;
