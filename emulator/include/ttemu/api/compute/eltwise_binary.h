// Elementwise sums and products of tiles.
#pragma once
#include "ttemu/api/compute/common.h"
#include "ttemu/api/compute/eltwise_types.h"

namespace ttemu {
// Sums overwrite DST unless they go onto it; products always add.
inline void binary_init(ttemu_binary op, uint32_t a, uint32_t b, bool onto, uint32_t line) {
  ttemu_binary_init(op, TTEMU_BCAST_NONE, a, b, line);
  if (onto) ttemu_binary_onto(line);
}
} // namespace ttemu
namespace ckernel {

template <bool tFull, EltwiseBinaryType tOp>
inline void binary_tiles_init(uint32_t a, uint32_t b, bool onto = false, TTEMU_LINE) {
  ttemu::binary_init(static_cast<ttemu_binary>(tOp), a, b, onto, line);
}
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void binary_op_init_common(uint32_t a, uint32_t b, uint32_t out TTEMU_OR(16), TTEMU_LINE) {
  ttemu_startup(a, b, out, false, line);
}
inline void add_tiles_init(uint32_t a TTEMU_OR(TTEMU_ANY_CB), uint32_t b TTEMU_OR(TTEMU_ANY_CB),
                           bool onto = false, TTEMU_LINE) {
  ttemu::binary_init(TTEMU_ADD, a, b, onto, line);
}
inline void sub_tiles_init(uint32_t a TTEMU_OR(TTEMU_ANY_CB), uint32_t b TTEMU_OR(TTEMU_ANY_CB),
                           bool onto = false, TTEMU_LINE) {
  ttemu::binary_init(TTEMU_SUB, a, b, onto, line);
}
inline void mul_tiles_init(uint32_t a TTEMU_OR(TTEMU_ANY_CB), uint32_t b TTEMU_OR(TTEMU_ANY_CB),
                           TTEMU_LINE) {
  ttemu::binary_init(TTEMU_MUL, a, b, false, line);
}
#if TTEMU_API < 202603
// Math alone, of an op whose operands unpack knows already.
inline void add_tiles_init_nof(TTEMU_LINE) {
  ttemu::binary_init(TTEMU_ADD, TTEMU_ANY_CB, TTEMU_ANY_CB, false, line);
}
inline void sub_tiles_init_nof(TTEMU_LINE) {
  ttemu::binary_init(TTEMU_SUB, TTEMU_ANY_CB, TTEMU_ANY_CB, false, line);
}
inline void mul_tiles_init_f(TTEMU_LINE) {
  ttemu::binary_init(TTEMU_MUL, TTEMU_ANY_CB, TTEMU_ANY_CB, false, line);
}
template <bool tFull = false, EltwiseBinaryType tOp = ELWADD>
inline void binary_op_specific_init(ttemu::call_line at = ttemu::here()) {
  ttemu::binary_init(static_cast<ttemu_binary>(tOp), TTEMU_ANY_CB, TTEMU_ANY_CB, false, at.line);
}
// The op as a number: add, subtract, multiply; or as the host has defined it.
template <bool tFull = false>
inline void binary_op_specific_init(int op, ttemu::call_line at = ttemu::here()) {
#ifdef ELTWISE_OP_CODE
  op = ELTWISE_OP_CODE;
#endif
  ttemu::binary_init(op == 0   ? TTEMU_ADD
                     : op == 1 ? TTEMU_SUB
                               : TTEMU_MUL,
                     TTEMU_ANY_CB, TTEMU_ANY_CB, false, at.line);
}
#endif
#endif
#if TTEMU_API >= 202608
inline void add_init(uint32_t a, uint32_t b, bool onto = false, TTEMU_LINE) {
  ttemu::binary_init(TTEMU_ADD, a, b, onto, line);
}
inline void sub_init(uint32_t a, uint32_t b, bool onto = false, TTEMU_LINE) {
  ttemu::binary_init(TTEMU_SUB, a, b, onto, line);
}
inline void mul_init(uint32_t a, uint32_t b, bool onto = true, TTEMU_LINE) {
  ttemu::binary_init(TTEMU_MUL, a, b, onto, line);
}
#endif

inline void add_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                      ttemu::call_line at = ttemu::here()) {
  ttemu_binary_tiles(TTEMU_ADD, TTEMU_BCAST_NONE, a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(add_tiles)
inline void sub_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                      ttemu::call_line at = ttemu::here()) {
  ttemu_binary_tiles(TTEMU_SUB, TTEMU_BCAST_NONE, a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(sub_tiles)
inline void mul_tiles(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                      ttemu::call_line at = ttemu::here()) {
  ttemu_binary_tiles(TTEMU_MUL, TTEMU_BCAST_NONE, a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(mul_tiles)
#if TTEMU_API >= 202608
// Tiles in a row.
inline void add_block(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                      uint32_t count, ttemu::call_line at = ttemu::here()) {
  for (uint32_t i = 0; i < count; ++i) add_tiles(a, b, ia + i, ib + i, dst + i, at);
}
inline void sub_block(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                      uint32_t count, ttemu::call_line at = ttemu::here()) {
  for (uint32_t i = 0; i < count; ++i) sub_tiles(a, b, ia + i, ib + i, dst + i, at);
}
inline void mul_block(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                      uint32_t count, ttemu::call_line at = ttemu::here()) {
  for (uint32_t i = 0; i < count; ++i) mul_tiles(a, b, ia + i, ib + i, dst + i, at);
}
#endif

// DST takes op of its old value and a tile of a circular buffer.
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
template <EltwiseBinaryType tOp = ELWADD,
          EltwiseBinaryReuseDestType tReuse = EltwiseBinaryReuseDestType::NONE>
inline void binary_dest_reuse_tiles_init(uint32_t cb, TTEMU_LINE) {
  ttemu_reuse_init(static_cast<ttemu_binary>(tOp),
                   tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, line);
}
template <EltwiseBinaryType tOp = ELWADD,
          EltwiseBinaryReuseDestType tReuse = EltwiseBinaryReuseDestType::NONE>
inline void binary_dest_reuse_tiles(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_reuse_tiles(static_cast<ttemu_binary>(tOp),
                    tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, index, dst, line);
}
#endif
#if TTEMU_API >= 202608
template <EltwiseBinaryReuseDestType tReuse>
inline void add_reuse_dest_init(uint32_t cb, TTEMU_LINE) {
  ttemu_reuse_init(TTEMU_ADD, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void add_reuse_dest_tiles(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_reuse_tiles(TTEMU_ADD, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, index, dst,
                    line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void sub_reuse_dest_init(uint32_t cb, TTEMU_LINE) {
  ttemu_reuse_init(TTEMU_SUB, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void sub_reuse_dest_tiles(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_reuse_tiles(TTEMU_SUB, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, index, dst,
                    line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void mul_reuse_dest_init(uint32_t cb, TTEMU_LINE) {
  ttemu_reuse_init(TTEMU_MUL, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, line);
}
template <EltwiseBinaryReuseDestType tReuse>
inline void mul_reuse_dest_tiles(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_reuse_tiles(TTEMU_MUL, tReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA, cb, index, dst,
                    line);
}
#endif
} // namespace ckernel
using namespace ckernel;
