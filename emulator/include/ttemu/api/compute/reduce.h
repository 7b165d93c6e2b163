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
// Math's part of it.
template <TTEMU_REDUCTION> inline void reduce_tile_math(uint32_t dst, uint32_t = 4, TTEMU_LINE) {
  if (ttemu_role() == 3)
    ttemu_reduce_tile(static_cast<ttemu_pool>(tPool), static_cast<ttemu_reduce_dim>(tDim),
                      TTEMU_ANY_CB, TTEMU_ANY_CB, 0, 0, dst, line);
}
#undef TTEMU_REDUCTION
} // namespace ckernel
using namespace ckernel;
