// Functions of lanes, written with the vector unit's own types, on tiles 0 and 1 of DST.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/binop_with_scalar.h"
#include "api/compute/eltwise_unary/dropout.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/lgamma.h"
#include "api/compute/eltwise_unary/rand.h"
#include "api/compute/eltwise_unary/rounding.h"
#include "api/compute/ema.h"
#if OP == 11
#include "api/compute/experimental/mul_reduce_scalar.h"
#endif
#include "api/compute/tile_move_copy.h"
#include "api/compute/welford.h"

#ifdef TRISC_MATH
#include "llk_math_eltwise_ternary_sfpu_params.h"

// Branches, one in another; a register of constants.
inline void branches(float edge) {
  for (int i = 0; i < 8; ++i) {
    vFloat x = dst_reg[i];
    vFloat y = x;
    v_if(x < sfpi::vConst0) {
      y = -x;
      v_if(y > edge) { y = edge; }
      v_endif;
    }
    v_elseif(x > 2.0f && x < 4.0f) { y = x * x * (3.0f - 2.0f * x); }
    v_else { y = y + 0.5f; }
    v_endif;
    dst_reg[i] = y;
  }
}
// Parts of a float: its exponent as an integer, its fraction between 1 and 2.
inline void parts() {
  for (int i = 0; i < 8; ++i) {
    vFloat x = dst_reg[0];
    vInt e = exexp(x);
    vFloat m = setexp(x, 127);
    v_if(e >= 0) { m = m + int32_to_float(shft(e, 1), 0); }
    v_endif;
    dst_reg[0] = setsgn(m, x);
    dst_reg++;
  }
}
// One rounding for a product and a sum: of 1 + 2^-12 squared, less its first bits, something is
// left.
inline void fused(uint32_t a, uint32_t b, uint32_t out) {
  for (int i = 0; i < 8; ++i) {
    vFloat x = dst_reg[a * 32], y = dst_reg[b * 32];
    vFloat near = x * 0.0f + 1.000244140625f;
    dst_reg[out * 32] = near * near - 1.00048828125f + y * 0.0f;
    dst_reg++;
  }
}
inline void of_three(uint32_t a, uint32_t b, uint32_t c, uint32_t out) {
  for (int i = 0; i < 8; ++i) {
    vFloat x = dst_reg[a * 32], y = dst_reg[b * 32], z = dst_reg[c * 32];
    dst_reg[out * 32] = x + x + (y - z) * 0.0f;
    dst_reg++;
  }
}
inline void rounding() {
  for (int i = 0; i < 8; ++i) {
    vFloat x = dst_reg[i];
    dst_reg[i] = float_to_fp16b(x * 1.00390625f, 0) + reinterpret<vFloat>(vInt(0));
  }
}
// Straight lines by ranges, each form of their numbers, one after the other.
inline void lines() {
  vFloat x = dst_reg[0];
  // 0.5 |x| + 0.25, 1 |x| - 0.5, 0 |x| + 1.5 and the sign of x
  dst_reg[0] = lut(x, vUInt(0x1020), vUInt(0x0090), vUInt(0xff08));
  dst_reg++;
  x = dst_reg[0]; // 2 |x| + 1, -|x| + 4, 0.5 |x| + 1, in 16 bits
  dst_reg[0] = lut2_sign(x, vUInt(0x40003c00), vUInt(0xbc004400), vUInt(0x38003c00));
  dst_reg++;
  x = dst_reg[0]; // the same in floats
  dst_reg[0] =
      lut2(x, vFloat(2.0f), vFloat(-1.0f), vFloat(0.5f), vFloat(1.0f), vFloat(4.0f), vFloat(1.0f));
  dst_reg++;
  x = dst_reg[0]; // range r of six: (r + 1) |x| + r / 2, but that 0 / 2 is the smallest number
  dst_reg[0] = lut2(x, vUInt(0x40003c00), vUInt(0x44004200), vUInt(0x46004500), vUInt(0x38000000),
                    vUInt(0x3e003c00), vUInt(0x41004000), 2);
  dst_reg++;
}
inline void all_lines() {
  for (int i = 0; i < 2; ++i) lines();
}
#endif

void kernel_main() {
  init_sfpu(0, 16);
  cb_wait_front(0, 2);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
#if OP < 11
  copy_tile_to_dst_init_short(0);
  copy_tile(0, 0, 0);
  copy_tile(0, 1, 1);
#endif
#if OP == 0
  MATH((_llk_math_eltwise_unary_sfpu_params_<false>(branches, 0, VectorMode::RC, 1.5f)));
#elif OP == 1
  MATH((_llk_math_eltwise_unary_sfpu_params_<false>(parts, 0)));
#elif OP == 2
  MATH((_llk_math_eltwise_binary_sfpu_params_<false>(fused, 0, 1, 0)));
  MATH((_llk_math_eltwise_ternary_sfpu_params_<false>(of_three, 0, 1, 1, 0)));
#elif OP == 3
  MATH((_llk_math_eltwise_unary_sfpu_params_<false>(rounding, 0)));
#elif OP == 4 // of 64 elements a column, saved between
  welford_init();
  welford_update<0>(0, 0, {});
  welford_save_state(2);
  welford_clear();
  welford_restore_state(2);
  welford_update<0>(1, 32, {});
  welford_finalize_to_row<0>(0, 63, {});
#elif OP == 5
  ema_init(0x3f400000, 0x3e800000); // 3/4, 1/4
  ema_clear_previous_output();
  ema_tile(0);
#elif OP == 6
  rand_tile_init(7);
  rand_tile(0, 0x40000000, 0x3f000000); // 2 to 2.5
#elif OP == 7
  dropout_kernel_init(7);
  dropout_tile(0, 0x20000000, 0x40000000); // a quarter; times 2
#elif OP == 8
  lgamma_stirling_tile_init();
  lgamma_stirling_tile(0);
#elif OP == 11 // all squares, twice each
  mul_reduce_scalar_init(0, 0);
  mul_reduce_scalar_tile<PoolType::SUM>(0, 0, 2, 2.0f);
#elif OP == 10
  MATH((_llk_math_eltwise_unary_sfpu_params_<false>(all_lines, 0)));
#else // of numbers between two of bf16, one or the other
  binop_with_scalar_tile_init();
  mul_unary_tile(0, 0x3f808000); // 1 + 1/256
  stochastic_round_tile(0);
#endif
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(OP == 5, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 2);
}
