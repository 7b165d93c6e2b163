// Reductions of tiles along rows, columns or both.
#pragma once
#include "ttemu/api/compute/common.h"
#include "ttemu/api/compute/not_emulated.h"
#include "ttemu/api/compute/reduce_types.h"

namespace ckernel {
// A kernel, or its host program, names a reduction before this header: on a chip it does not
// compile otherwise, even where each call names its own.
#if !defined(REDUCE_OP) || !defined(REDUCE_DIM)
#error "define REDUCE_OP and REDUCE_DIM before api/compute/reduce.h, which has them in defaults"
#endif
#define TTEMU_REDUCTION PoolType tPool = REDUCE_OP, ReduceDim tDim = REDUCE_DIM, bool... tOptions

template <TTEMU_REDUCTION>
inline void reduce_init(uint32_t cb, uint32_t scaler, uint32_t, TTEMU_LINE) {
  ttemu_reduce_init(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim), cb, scaler,
                    line);
}
template <TTEMU_REDUCTION>
inline void reduce_tile(uint32_t cb, uint32_t scaler, uint32_t index, uint32_t scaler_index,
                        uint32_t dst, TTEMU_LINE) {
  ttemu_reduce_tile(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim), cb, scaler,
                    index, scaler_index, dst, line);
}
#if TTEMU_API < 202608
template <bool tFp32 = false> inline void reduce_uninit(uint32_t = 0, TTEMU_LINE) {
  ttemu_reduce_uninit(line);
}
#else
inline void reduce_uninit(TTEMU_LINE) { ttemu_reduce_uninit(line); }
#endif
#if TTEMU_API < 202603
// As it was before August 2025: at the start of a kernel, or between other ops and back.
template <bool tStart, PoolType tPool = REDUCE_OP, ReduceDim tDim = REDUCE_DIM>
inline void reduce_init(uint32_t cb, uint32_t scaler, uint32_t out TTEMU_OR(16), TTEMU_LINE) {
  if (tStart) ttemu_startup_once(cb, scaler, out, line);
  reduce_init<tPool, tDim>(cb, scaler, out, line);
}
template <PoolType tPool = REDUCE_OP, ReduceDim tDim = REDUCE_DIM>
inline void reduce_init_short(uint32_t cb, uint32_t scaler, uint32_t out TTEMU_OR(16), TTEMU_LINE) {
  reduce_init<tPool, tDim>(cb, scaler, out, line);
}
// Of three numbers, trees of 2024 have the output first, later ones last; where the engine is not
// started up, it tells nothing.
template <bool tStart, PoolType tPool = REDUCE_OP, ReduceDim tDim = REDUCE_DIM>
inline void reduce_init_delta(uint32_t first = 16, uint32_t second = 0, uint32_t third = 1,
                              TTEMU_LINE) {
  const bool is_output_first = first >= 16 && second < 16;
  reduce_init<tPool, tDim>(is_output_first ? second : first, is_output_first ? third : second,
                           is_output_first ? first : third, line);
}
template <PoolType tPool = REDUCE_OP, ReduceDim tDim = REDUCE_DIM>
inline void reduce_init_delta_no_pack(uint32_t cb = 0, uint32_t scaler = 1, TTEMU_LINE) {
  ttemu_reduce_init_again(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim),
                          line);
  (void)cb, (void)scaler;
}
template <PoolType tPool = REDUCE_OP, ReduceDim tDim = REDUCE_DIM>
inline void reduce_init_delta_math(TTEMU_LINE) {
  ttemu_reduce_init_again(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim),
                          line);
}
// As it was before the summer of 2024: what is reduced, and along what, are arguments, which the
// kernel's own defines or template arguments say once more.
template <bool tStart, TTEMU_REDUCTION>
inline void reduce_init(PoolType, ReduceDim, uint32_t cb, uint32_t scaler, uint32_t out = 16,
                        TTEMU_LINE) {
  reduce_init<tStart, tPool, tDim>(cb, scaler, out, line);
}
template <TTEMU_REDUCTION>
inline void reduce_init_short(PoolType, ReduceDim, uint32_t cb, uint32_t scaler, uint32_t out = 16,
                              TTEMU_LINE) {
  reduce_init<tPool, tDim>(cb, scaler, out, line);
}
template <bool tStart, TTEMU_REDUCTION>
inline void reduce_init_delta(PoolType, ReduceDim, uint32_t = 16, uint32_t = 0, uint32_t = 1,
                              TTEMU_LINE) {
  ttemu_reduce_init_again(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim),
                          line);
}
template <TTEMU_REDUCTION>
inline void reduce_tile(PoolType, ReduceDim, uint32_t cb, uint32_t scaler, uint32_t index,
                        uint32_t scaler_index, uint32_t dst, TTEMU_LINE) {
  reduce_tile<tPool, tDim>(cb, scaler, index, scaler_index, dst, line);
}
template <ReduceDim tDim = REDUCE_DIM> inline void reduce_revert_delta(uint32_t = 16, TTEMU_LINE) {
  ttemu_reduce_uninit(line);
}
#endif
// Math's part of it.
template <TTEMU_REDUCTION> inline void reduce_tile_math(uint32_t dst, uint32_t = 4, TTEMU_LINE) {
  if (ttemu_role() == 3)
    ttemu_reduce_tile(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim),
                      TTEMU_ANY_CB, TTEMU_ANY_CB, 0, 0, dst, line);
}
#undef TTEMU_REDUCTION
} // namespace ckernel
using namespace ckernel;
