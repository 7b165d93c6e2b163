// Instructions of the vector unit by their names, and functions of lanes amid a kernel's own.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/tile_move_copy.h"

#ifdef TRISC_MATH
// The nearest integer, halves away from zero: twice that and one; -1 where it is zero.
inline void twice_and_one() {
  for (int d = 0; d < 8; ++d) {
    TTI_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::FP16B, ADDR_MOD_3, 0);
    TTI_SFP_STOCH_RND(0, 0, 0, p_sfpu::LREG0, p_sfpu::LREG1, sfpi::SFPSTOCHRND_MOD1_FP32_TO_INT8);
    TTI_SFPCAST(p_sfpu::LREG1, p_sfpu::LREG2, 0);
    // LREG2 by way of LREG5, which is 5 more for a while, and of flags that a sum's sign sets.
    TTI_SFPIADD(5, p_sfpu::LREG2, p_sfpu::LREG5,
                sfpi::SFPIADD_MOD1_ARG_IMM | sfpi::SFPIADD_MOD1_CC_NONE);
    TTI_SFPIADD(0xffb, p_sfpu::LREG5, p_sfpu::LREG5,
                sfpi::SFPIADD_MOD1_ARG_IMM | sfpi::SFPIADD_MOD1_CC_NONE);
    TTI_SFPIADD(0, p_sfpu::LREG5, p_sfpu::LREG2,
                sfpi::SFPIADD_MOD1_ARG_2SCOMP_LREG_DST | sfpi::SFPIADD_MOD1_CC_NONE);
    TTI_SFPIADD(0xfff, p_sfpu::LREG2, p_sfpu::LREG6,
                sfpi::SFPIADD_MOD1_ARG_IMM | sfpi::SFPIADD_MOD1_CC_GTE0);
    TTI_SFPLOADI(p_sfpu::LREG5, 0, 0x7f80);
    TTI_SFPENCC(0, 0, 0, 0);
    TTI_SFPIADD(0, p_sfpu::LREG6, p_sfpu::LREG2, sfpi::SFPIADD_MOD1_CC_LT0);
    TTI_SFPMOV(0, p_sfpu::LREG5, p_sfpu::LREG2, 0);
    TTI_SFPENCC(0, 0, 0, 0);
    TTI_SFPLOADI(p_sfpu::LREG3, 0, 0x4000);
    TTI_SFPMAD(p_sfpu::LREG2, p_sfpu::LREG3, p_sfpu::LCONST_1, p_sfpu::LREG4, 0);
    TTI_SFPNOP;
    TTI_SFPSETCC(0, p_sfpu::LREG1, 0, 6);
    TTI_SFPMOV(0, p_sfpu::LCONST_1, p_sfpu::LREG4, 1);
    TTI_SFPENCC(0, 0, 0, 0);
    TTI_SFPSTORE(p_sfpu::LREG4, InstrModLoadStore::FP16B, ADDR_MOD_3, 0);
    TTI_INCRWC(0, 2, 0, 0);
  }
}
inline void exponential() {
  for (int d = 0; d < 8; ++d) {
    const sfpi::vFloat x = sfpi::dst_reg[0];
    sfpi::dst_reg[0] =
        ckernel::sfpu::_calculate_exponential_piecewise_<false, true, false>(x, 0x3f80);
    sfpi::dst_reg++;
  }
}
#endif

void kernel_main() {
#if TTEMU_API >= 202608
  compute_kernel_hw_startup(0, 16);
  copy_init(0);
#else
  unary_op_init_common(0, 16); // sets up the copy, too
#endif
  cb_wait_front(0, 1);
  cb_reserve_back(16, 2);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(0, 0, 1);
  MATH((_llk_math_eltwise_unary_sfpu_params_<false>(twice_and_one, 0)));
  MATH((_llk_math_eltwise_unary_sfpu_params_<false>(exponential, 1)));
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  pack_tile(1, 16);
  tile_regs_release();
  cb_push_back(16, 2);
  cb_pop_front(0, 1);
}
