// Elementwise ops whose second operand is broadcast: its row 0, column 0, or element 0.
#pragma once
#include "ttemu/api/compute/common.h"
#include "ttemu/api/compute/eltwise_types.h"

namespace ckernel {
template <EltwiseBinaryType tOp, BroadcastType tDim>
inline void any_tiles_bcast(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                            uint32_t row = 0, TTEMU_LINE) {
  ttemu_binary_tiles(static_cast<ttemu_binary>(tOp), static_cast<int>(tDim), a, b, ia, ib, dst, row,
                     line);
}
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
template <EltwiseBinaryType tOp, BroadcastType tDim>
inline void init_bcast(uint32_t a, uint32_t b, uint32_t out TTEMU_OR(16), TTEMU_LINE) {
  ttemu_startup(a, b, out, false, line);
  ttemu_binary_init(static_cast<ttemu_binary>(tOp), static_cast<int>(tDim), a, b, line);
}
#endif
#if TTEMU_API >= 202608
template <EltwiseBinaryType tOp, BroadcastType tDim>
inline void bcast_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(static_cast<ttemu_binary>(tOp), static_cast<int>(tDim), a, b, line);
}
#endif

template <BroadcastType tDim>
inline void add_tiles_bcast(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                            uint32_t row = 0, TTEMU_LINE) {
  any_tiles_bcast<ELWADD, tDim>(a, b, ia, ib, dst, row, line);
}
inline void add_tiles_bcast_rows(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                 uint32_t row = 0, ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWADD, BroadcastType::ROW>(a, b, ia, ib, dst, row, at.line);
}
TTEMU_POINTED_ROW(add_tiles_bcast_rows)
inline void add_tiles_bcast_cols(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                 ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWADD, BroadcastType::COL>(a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(add_tiles_bcast_cols)
inline void add_tiles_bcast_scalar(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                   ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWADD, BroadcastType::SCALAR>(a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(add_tiles_bcast_scalar)

template <BroadcastType tDim>
inline void sub_tiles_bcast(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                            uint32_t row = 0, TTEMU_LINE) {
  any_tiles_bcast<ELWSUB, tDim>(a, b, ia, ib, dst, row, line);
}
#if TTEMU_API >= 202608
inline void sub_tiles_bcast_rows(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                 uint32_t row = 0, ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWSUB, BroadcastType::ROW>(a, b, ia, ib, dst, row, at.line);
}
TTEMU_POINTED_ROW(sub_tiles_bcast_rows)
#endif
inline void sub_tiles_bcast_cols(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                 ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWSUB, BroadcastType::COL>(a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(sub_tiles_bcast_cols)
inline void sub_tiles_bcast_scalar(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                   ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWSUB, BroadcastType::SCALAR>(a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(sub_tiles_bcast_scalar)

template <BroadcastType tDim>
inline void mul_tiles_bcast(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                            uint32_t row = 0, TTEMU_LINE) {
  any_tiles_bcast<ELWMUL, tDim>(a, b, ia, ib, dst, row, line);
}
inline void mul_tiles_bcast_rows(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                 uint32_t row = 0, ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWMUL, BroadcastType::ROW>(a, b, ia, ib, dst, row, at.line);
}
TTEMU_POINTED_ROW(mul_tiles_bcast_rows)
inline void mul_tiles_bcast_cols(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                 ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWMUL, BroadcastType::COL>(a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(mul_tiles_bcast_cols)
inline void mul_tiles_bcast_scalar(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                                   ttemu::call_line at = ttemu::here()) {
  any_tiles_bcast<ELWMUL, BroadcastType::SCALAR>(a, b, ia, ib, dst, 0, at.line);
}
TTEMU_POINTED_TILE(mul_tiles_bcast_scalar)

#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void add_bcast_rows_init_short(uint32_t a TTEMU_OR(TTEMU_ANY_CB),
                                      uint32_t b TTEMU_OR(TTEMU_ANY_CB), TTEMU_LINE) {
  ttemu_binary_init(TTEMU_ADD, TTEMU_BCAST_ROW, a, b, line);
}
inline void add_bcast_cols_init_short(uint32_t a TTEMU_OR(TTEMU_ANY_CB),
                                      uint32_t b TTEMU_OR(TTEMU_ANY_CB), TTEMU_LINE) {
  ttemu_binary_init(TTEMU_ADD, TTEMU_BCAST_COL, a, b, line);
}
inline void add_bcast_scalar_init_short(uint32_t a TTEMU_OR(TTEMU_ANY_CB),
                                        uint32_t b TTEMU_OR(TTEMU_ANY_CB), TTEMU_LINE) {
  ttemu_binary_init(TTEMU_ADD, TTEMU_BCAST_SCALAR, a, b, line);
}
inline void sub_bcast_cols_init_short(uint32_t a TTEMU_OR(TTEMU_ANY_CB),
                                      uint32_t b TTEMU_OR(TTEMU_ANY_CB), TTEMU_LINE) {
  ttemu_binary_init(TTEMU_SUB, TTEMU_BCAST_COL, a, b, line);
}
inline void sub_tiles_bcast_scalar_init_short(uint32_t a TTEMU_OR(TTEMU_ANY_CB),
                                              uint32_t b TTEMU_OR(TTEMU_ANY_CB), TTEMU_LINE) {
  ttemu_binary_init(TTEMU_SUB, TTEMU_BCAST_SCALAR, a, b, line);
}
inline void mul_bcast_rows_init_short(uint32_t a TTEMU_OR(TTEMU_ANY_CB),
                                      uint32_t b TTEMU_OR(TTEMU_ANY_CB), TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MUL, TTEMU_BCAST_ROW, a, b, line);
}
inline void mul_bcast_cols_init_short(uint32_t a TTEMU_OR(TTEMU_ANY_CB),
                                      uint32_t b TTEMU_OR(TTEMU_ANY_CB), TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MUL, TTEMU_BCAST_COL, a, b, line);
}
inline void mul_tiles_bcast_scalar_init_short(uint32_t a TTEMU_OR(TTEMU_ANY_CB),
                                              uint32_t b TTEMU_OR(TTEMU_ANY_CB), TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MUL, TTEMU_BCAST_SCALAR, a, b, line);
}
#endif
#if TTEMU_API >= 202608
inline void add_bcast_rows_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_ADD, TTEMU_BCAST_ROW, a, b, line);
}
inline void add_bcast_cols_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_ADD, TTEMU_BCAST_COL, a, b, line);
}
inline void add_bcast_scalar_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_ADD, TTEMU_BCAST_SCALAR, a, b, line);
}
inline void sub_bcast_rows_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_SUB, TTEMU_BCAST_ROW, a, b, line);
}
inline void sub_bcast_cols_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_SUB, TTEMU_BCAST_COL, a, b, line);
}
inline void sub_bcast_scalar_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_SUB, TTEMU_BCAST_SCALAR, a, b, line);
}
inline void mul_bcast_rows_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MUL, TTEMU_BCAST_ROW, a, b, line);
}
inline void mul_bcast_cols_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MUL, TTEMU_BCAST_COL, a, b, line);
}
inline void mul_bcast_scalar_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_binary_init(TTEMU_MUL, TTEMU_BCAST_SCALAR, a, b, line);
}
#endif

// A copy to DST, broadcast.
template <BroadcastType tDim>
inline void unary_bcast_init(uint32_t cb, ttemu::call_line at = ttemu::here()) {
  ttemu_unary_bcast_init(static_cast<ttemu_bcast>(tDim), cb, at.line);
}
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
template <BroadcastType tDim>
inline void unary_bcast_init(uint32_t cb, uint32_t out, ttemu::call_line at = ttemu::here()) {
  ttemu_startup(cb, cb, out, false, at.line);
  ttemu_unary_bcast_init(static_cast<ttemu_bcast>(tDim), cb, at.line);
}
#endif
template <BroadcastType tDim>
inline void unary_bcast(uint32_t cb, uint32_t index, uint32_t dst, TTEMU_LINE) {
  ttemu_unary_bcast(static_cast<ttemu_bcast>(tDim), cb, index, dst, line);
}
template <BroadcastType tDim> inline void unary_bcast_uninit(uint32_t) {}
// From one circular buffer and shape to another, on both sides.
template <BroadcastType tOld, BroadcastType tNew>
inline void reconfigure_unary_bcast(uint32_t, uint32_t cb, uint32_t, uint32_t out, TTEMU_LINE) {
  ttemu_reconfig_srca(cb, line), ttemu_reconfig_srcb(cb, line);
  ttemu_reconfig_pack(out, line);
  ttemu_unary_bcast_init(static_cast<ttemu_bcast>(tNew), cb, line);
}
} // namespace ckernel
using namespace ckernel;
