// SFPU functions without a header of their own.
#pragma once
#include "ttemu/api/compute/sfpu.h"

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
inline void tiled_prod_tile(uint32_t dst, TTEMU_LINE) { ttemu_tile_run(TTEMU_TILED_PROD, dst, false, line); }
inline void alt_complex_rotate90_tile_init(TTEMU_LINE) { ttemu_tile_init(TTEMU_ROTATE90, line); }
inline void alt_complex_rotate90_tile(uint32_t dst, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_ROTATE90, dst, false, line);
}

TTEMU_NOT_EMULATED(topk_local_sort, "top-k is not emulated")
TTEMU_NOT_EMULATED(topk_merge, "top-k is not emulated")
TTEMU_NOT_EMULATED(topk_rebuild, "top-k is not emulated")
TTEMU_NOT_EMULATED(topk_tile_init, "top-k is not emulated")
TTEMU_NOT_EMULATED(dbg_halt, "the debugger of the chip is not emulated")
TTEMU_NOT_EMULATED(dbg_unhalt, "the debugger of the chip is not emulated")
TTEMU_NOT_EMULATED(dbg_read_dest_acc_row, "the debugger of the chip is not emulated")
TTEMU_NOT_EMULATED(get_compute_special_value_flags, "flags of special values are not emulated")
TTEMU_NOT_EMULATED(get_compute_special_value_flags_fpu, "flags of special values are not emulated")
TTEMU_NOT_EMULATED(get_compute_special_value_flags_sfpu, "flags of special values are not emulated")
TTEMU_NOT_EMULATED(clear_compute_special_value_flags, "flags of special values are not emulated")
#if TTEMU_API < 202608
TTEMU_NOT_EMULATED(max_reduce_with_indices, "maxima with indices are not emulated")
TTEMU_NOT_EMULATED(max_reduce_with_indices_init, "maxima with indices are not emulated")
TTEMU_NOT_EMULATED(sfpu_reduce, "sums by the vector unit are not emulated; use reduce_tile")
TTEMU_NOT_EMULATED(sfpu_reduce_init, "sums by the vector unit are not emulated; use reduce_tile")
TTEMU_NOT_EMULATED(sfpu_add_top_row, "sums by the vector unit are not emulated; use reduce_tile")
TTEMU_NOT_EMULATED(sfpu_add_top_row_init, "sums by the vector unit are not emulated; use reduce_tile")
TTEMU_NOT_EMULATED(store_compute_special_value_flags_to_l1, "flags of special values are not emulated")
#else
TTEMU_SFPU_INIT(signbit_tile_int32_init, TTEMU_SIGNBIT)
TTEMU_NOT_EMULATED(topk_uint16_prepare_value_tile_for_pack, "top-k is not emulated")
TTEMU_NOT_EMULATED(sigmoid_tile_init_pack, "the vector unit is not emulated from the packer's thread; call it from math")
TTEMU_NOT_EMULATED(sigmoid_tile_pack, "the vector unit is not emulated from the packer's thread; call it from math")
TTEMU_NOT_EMULATED(silu_tile_init_pack, "the vector unit is not emulated from the packer's thread; call it from math")
TTEMU_NOT_EMULATED(silu_tile_pack, "the vector unit is not emulated from the packer's thread; call it from math")
TTEMU_NOT_EMULATED(tanh_tile_init_pack, "the vector unit is not emulated from the packer's thread; call it from math")
TTEMU_NOT_EMULATED(tanh_tile_pack, "the vector unit is not emulated from the packer's thread; call it from math")
#endif
