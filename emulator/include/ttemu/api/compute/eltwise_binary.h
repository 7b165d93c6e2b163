// Elementwise sums and products of tiles.
#pragma once
#include "ttemu/api/compute/common.h"

#if TTEMU_API < 202608
inline void binary_op_init_common(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {
  ttemu_startup(a, b, out, false, line);
}
inline void add_tiles_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_ADD, TTEMU_BCAST_NONE, a, b, line);
}
inline void sub_tiles_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_SUB, TTEMU_BCAST_NONE, a, b, line);
}
inline void mul_tiles_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MUL, TTEMU_BCAST_NONE, a, b, line);
}
#else
inline void add_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_ADD, TTEMU_BCAST_NONE, a, b, line);
}
inline void sub_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_SUB, TTEMU_BCAST_NONE, a, b, line);
}
inline void mul_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MUL, TTEMU_BCAST_NONE, a, b, line);
}
#endif

inline void add_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst, TTEMU_LINE) {
  ttemu_binary_tiles(TTEMU_ADD, TTEMU_BCAST_NONE, a, b, ia, ib, dst, 0, line);
}
inline void sub_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst, TTEMU_LINE) {
  ttemu_binary_tiles(TTEMU_SUB, TTEMU_BCAST_NONE, a, b, ia, ib, dst, 0, line);
}
inline void mul_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst, TTEMU_LINE) {
  ttemu_binary_tiles(TTEMU_MUL, TTEMU_BCAST_NONE, a, b, ia, ib, dst, 0, line);
}
