// SFPU functions without a header of their own.
#pragma once
#include "ttemu/api/compute/reduce_types.h"
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
// The second template argument asks for the table of straight lines.
template <int tMode = (int)VectorMode::RC, bool tFast = false>
inline void sigmoid_tile(uint32_t dst, TTEMU_LINE) {
  ttemu_sfpu_run({tFast ? TTEMU_SIGMOID_APPROX : TTEMU_SIGMOID, 1, {dst}, dst, {}, tMode}, line);
}
template <bool tFast = false>
inline void log_with_base_tile(uint32_t dst, uint32_t scale, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_LOG_BASE, 1, {dst}, dst, {scale}, TTEMU_VECTOR_RC}, line);
}
TTEMU_SFPU_APPROX_INIT(sigmoid_tile_init, TTEMU_SIGMOID, false)
TTEMU_SFPU_APPROX_INIT(log_tile_init, TTEMU_LOG, false)
TTEMU_SFPU_APPROX(log_tile, TTEMU_LOG, TTEMU_LOG, false)
TTEMU_SFPU_APPROX_INIT(tanh_tile_init, TTEMU_TANH, false)
TTEMU_SFPU_APPROX(tanh_tile, TTEMU_TANH, TTEMU_TANH_APPROX, false)
TTEMU_SFPU_INIT(signbit_tile_init, TTEMU_SIGNBIT)
TTEMU_SFPU_ONE(signbit_tile, TTEMU_SIGNBIT)
TTEMU_SFPU_ONE(signbit_tile_int32, TTEMU_SIGNBIT_INT)
TTEMU_SFPU_INIT(abs_tile_init, TTEMU_ABS)
TTEMU_SFPU_ONE(abs_tile, TTEMU_ABS)
TTEMU_SFPU_ONE(abs_tile_int32, TTEMU_ABS_INT)
TTEMU_SFPU_INIT(sign_tile_init, TTEMU_SIGN)
TTEMU_SFPU_ONE(sign_tile, TTEMU_SIGN)
TTEMU_SFPU_INIT(square_tile_init, TTEMU_SQUARE)
TTEMU_SFPU_ONE(square_tile, TTEMU_SQUARE)
TTEMU_SFPU_INIT(power_tile_init, TTEMU_POWER)
TTEMU_SFPU_SCALAR(power_tile, TTEMU_POWER)
TTEMU_SFPU_INIT(power_iterative_tile_init, TTEMU_POWER_ITERATIVE)
TTEMU_SFPU_SCALAR(power_iterative_tile, TTEMU_POWER_ITERATIVE)
TTEMU_SFPU_INIT(exp2_tile_init, TTEMU_EXP2)
TTEMU_SFPU_ONE(exp2_tile, TTEMU_EXP2)
TTEMU_SFPU_INIT(heaviside_tile_init, TTEMU_HEAVISIDE)
TTEMU_SFPU_SCALAR(heaviside_tile, TTEMU_HEAVISIDE)
TTEMU_SFPU_APPROX_INIT(expm1_tile_init, TTEMU_EXPM1, false)
TTEMU_SFPU_APPROX(expm1_tile, TTEMU_EXPM1, TTEMU_EXPM1, false)
TTEMU_SFPU_INIT(silu_tile_init, TTEMU_SILU)
TTEMU_SFPU_ONE(silu_tile, TTEMU_SILU)
TTEMU_SFPU_APPROX_INIT(log_with_base_tile_init, TTEMU_LOG_BASE, false)
TTEMU_SFPU_INIT(unary_max_tile_init, TTEMU_UNARY_MAX)
TTEMU_SFPU_SCALAR(unary_max_tile, TTEMU_UNARY_MAX)
TTEMU_SFPU_INIT(unary_max_int32_tile_init, TTEMU_UNARY_MAX_INT)
TTEMU_SFPU_SCALAR(unary_max_int32_tile, TTEMU_UNARY_MAX_INT)
TTEMU_SFPU_INIT(unary_max_uint32_tile_init, TTEMU_UNARY_MAX_UINT)
TTEMU_SFPU_SCALAR(unary_max_uint32_tile, TTEMU_UNARY_MAX_UINT)
TTEMU_SFPU_INIT(unary_min_tile_init, TTEMU_UNARY_MIN)
TTEMU_SFPU_SCALAR(unary_min_tile, TTEMU_UNARY_MIN)
TTEMU_SFPU_INIT(unary_min_int32_tile_init, TTEMU_UNARY_MIN_INT)
TTEMU_SFPU_SCALAR(unary_min_int32_tile, TTEMU_UNARY_MIN_INT)
TTEMU_SFPU_INIT(unary_min_uint32_tile_init, TTEMU_UNARY_MIN_UINT)
TTEMU_SFPU_SCALAR(unary_min_uint32_tile, TTEMU_UNARY_MIN_UINT)

// Whole tiles: a running product along rows; pairs (a, b) to (-b, a).
inline void tiled_prod_tile_init(TTEMU_LINE) { ttemu_tile_init(TTEMU_TILED_PROD, line); }
inline void tiled_prod_tile(uint32_t dst, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_TILED_PROD, dst, false, line);
}
inline void alt_complex_rotate90_tile_init(TTEMU_LINE) { ttemu_tile_init(TTEMU_ROTATE90, line); }
inline void alt_complex_rotate90_tile(uint32_t dst, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_ROTATE90, dst, false, line);
}

// The largest of columns of 64 values in two tiles; two more hold their indices.
inline void topk_tile_init(TTEMU_LINE) { ttemu_tile_init(TTEMU_TOPK, line); }
template <bool tStable = false, bool...>
inline void topk_local_sort(uint32_t dst, int up, int last_phase, int first_phase = 0,
                            int last_step = 0, int first_step = 0, TTEMU_LINE) {
  ttemu_topk_sort(dst, up != 0, {first_phase, last_phase, first_step, last_step}, tStable, line);
}
template <bool tSmallest = false, bool tStable = false, bool...>
inline void topk_merge(uint32_t dst, int iteration, int k, TTEMU_LINE) {
  ttemu_topk_merge(dst, static_cast<uint32_t>(iteration), static_cast<uint32_t>(k), tSmallest,
                   tStable, line);
}
template <bool tStable = false, bool...>
inline void topk_rebuild(uint32_t dst, bool up, int iteration, int k, int, int skip_second,
                         TTEMU_LINE) {
  ttemu_topk_rebuild(dst, up, static_cast<uint32_t>(iteration), static_cast<uint32_t>(k),
                     (skip_second & 1) != 0, tStable, line);
}
TTEMU_NOT_EMULATED(dbg_halt, "the debugger of the chip is not emulated")
TTEMU_NOT_EMULATED(dbg_unhalt, "the debugger of the chip is not emulated")
TTEMU_NOT_EMULATED(dbg_read_dest_acc_row, "the debugger of the chip is not emulated")
TTEMU_NOT_EMULATED(get_compute_special_value_flags, "flags of special values are not emulated")
TTEMU_NOT_EMULATED(get_compute_special_value_flags_fpu, "flags of special values are not emulated")
TTEMU_NOT_EMULATED(get_compute_special_value_flags_sfpu, "flags of special values are not emulated")
TTEMU_NOT_EMULATED(clear_compute_special_value_flags, "flags of special values are not emulated")
#if TTEMU_API < 202608
template <DataLayout tLayout = DataLayout::TILE>
inline void max_reduce_with_indices_init(TTEMU_LINE) {
  ttemu_tile_init(tLayout == DataLayout::TILE ? TTEMU_MAX_TILES : TTEMU_MAX_ROWS, line);
}
template <int tRows = 9, DataLayout tLayout = DataLayout::TILE, bool tAccumulate = false,
          int tIterations = 8>
inline void max_reduce_with_indices(uint32_t dst, uint32_t index, uint32_t chunk = 0, TTEMU_LINE) {
  static_assert(tRows <= 32, "max_reduce_with_indices: at most 32 rows");
  static_assert(tRows <= 9 || tLayout == DataLayout::ROW_MAJOR,
                "max_reduce_with_indices: more than 9 rows are sticks (DataLayout::ROW_MAJOR)");
  constexpr ttemu_max_form form = tRows > 9                          ? TTEMU_MAX_ALL_STICKS
                                  : tLayout == DataLayout::ROW_MAJOR ? TTEMU_MAX_NINE_STICKS
                                                                     : TTEMU_MAX_NINE_OF_FACES;
  ttemu_max_indices(dst, index, form, tRows > 9 && tAccumulate, chunk, line);
}
TTEMU_NOT_EMULATED(store_compute_special_value_flags_to_l1,
                   "flags of special values are not emulated")
#else
TTEMU_SFPU_INIT(signbit_tile_int32_init, TTEMU_SIGNBIT)
TTEMU_NOT_EMULATED(topk_uint16_prepare_value_tile_for_pack, "top-k is not emulated")
#endif
#if TTEMU_API >= 202608
// From the packer's processor.
TTEMU_SFPU_INIT(sigmoid_tile_init_pack, TTEMU_SIGMOID)
TTEMU_SFPU_ONE_PACK(sigmoid_tile_pack, TTEMU_SIGMOID)
TTEMU_SFPU_INIT(silu_tile_init_pack, TTEMU_SILU)
TTEMU_SFPU_ONE_PACK(silu_tile_pack, TTEMU_SILU)
TTEMU_SFPU_INIT(tanh_tile_init_pack, TTEMU_TANH)
TTEMU_SFPU_ONE_PACK(tanh_tile_pack, TTEMU_TANH)
#endif

#if TTEMU_API < 202608
// Of each column of a tile, into its row 0; and the sum of the rows 0 of two tiles.
} // namespace ckernel
namespace ttemu {
template <PoolType tPool, DataFormat tFormat> constexpr ttemu_tile_op column_op() {
  if (is_integer(tFormat))
    return tPool == PoolType::MAX ? TTEMU_COLUMN_MAX_INT : TTEMU_COLUMN_SUM_INT;
  return tPool == PoolType::MAX   ? TTEMU_COLUMN_MAX
         : tPool == PoolType::AVG ? TTEMU_COLUMN_AVG
                                  : TTEMU_COLUMN_SUM;
}
} // namespace ttemu
namespace ckernel {
template <PoolType tPool, DataFormat tFormat> inline void sfpu_reduce_init(TTEMU_LINE) {
  ttemu_tile_init(ttemu::column_op<tPool, tFormat>(), line);
}
template <PoolType tPool, DataFormat tFormat, ReduceDim tDim = ReduceDim::REDUCE_COL>
inline void sfpu_reduce(uint32_t dst, uint32_t = 1, uint32_t = 1, TTEMU_LINE) {
  static_assert(tDim == ReduceDim::REDUCE_COL,
                "sfpu_reduce: only columns are emulated; use reduce_tile");
  ttemu_tile_run(ttemu::column_op<tPool, tFormat>(), dst, false, line);
}
inline void sfpu_add_top_row_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_ADD_DST, line); }
template <DataFormat tFormat>
inline void sfpu_add_top_row(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {
  constexpr ttemu_sfpu op = ttemu::is_integer(tFormat) ? TTEMU_ADD_INT : TTEMU_ADD_DST;
  if (ttemu_role() == 3) ttemu_sfpu_init(op, line);
  ttemu_sfpu_run({op, 2, {a, b}, out, {}, TTEMU_VECTOR_R}, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
