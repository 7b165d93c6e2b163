// Elementwise sums and products of tiles.
#pragma once
#include "ttemu/api/compute/common.h"
#include "ttemu/api/compute/eltwise_types.h"

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

// DST takes op of its old value and a tile of a circular buffer.
enum class EltwiseBinaryReuseDestType { NONE = 0, DEST_TO_SRCA = 1, DEST_TO_SRCB = 2 };
#if TTEMU_API < 202608
template <EltwiseBinaryType tOp, EltwiseBinaryReuseDestType tReuse>
inline void binary_dest_reuse_tiles_init(uint32_t cb, TTEMU_LINE) {
  ttemu_reuse_init(static_cast<ttemu_binary>(tOp), tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, line);
}
template <EltwiseBinaryType tOp, EltwiseBinaryReuseDestType tReuse>
inline void binary_dest_reuse_tiles(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_reuse_tiles(static_cast<ttemu_binary>(tOp), tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, index, dst, line);
}
#else
template <EltwiseBinaryReuseDestType tReuse>
inline void add_reuse_dest_init(uint32_t cb, TTEMU_LINE) {
  ttemu_reuse_init(TTEMU_ADD, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void add_reuse_dest_tiles(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_reuse_tiles(TTEMU_ADD, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, index, dst, line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void sub_reuse_dest_init(uint32_t cb, TTEMU_LINE) {
  ttemu_reuse_init(TTEMU_SUB, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void sub_reuse_dest_tiles(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_reuse_tiles(TTEMU_SUB, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, index, dst, line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void mul_reuse_dest_init(uint32_t cb, TTEMU_LINE) {
  ttemu_reuse_init(TTEMU_MUL, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void mul_reuse_dest_tiles(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_reuse_tiles(TTEMU_MUL, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, index, dst, line);
}
#endif
