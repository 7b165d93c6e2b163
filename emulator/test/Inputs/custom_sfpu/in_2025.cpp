// A sum of two tiles as kernels of 2025 had the vector unit compute it: the first half by a
// function that is told how far the second tile is, the other one without help, from tile 1 on.
#include <cstdint>

#include "compute_kernel_api.h"
#include "compute_kernel_api/eltwise_unary/eltwise_unary.h"
#include "compute_kernel_api/tile_move_copy.h"

namespace NAMESPACE {
#ifdef TRISC_MATH
inline void add_far(const uint distance) {
  for (int i = 0; i < 8; ++i) {
    dst_reg[0] = vFloat(dst_reg[0]) + vFloat(dst_reg[distance * 32]);
    dst_reg++;
  }
}
inline void add_here() {
  math::set_dst_write_addr<DstTileLayout::Default, DstTileShape::Tile32x32>(1);
  math::set_addr_mod_base();
  for (int i = 16; i < 32; ++i) dst_reg[i - 32] = vFloat(dst_reg[i - 32]) + vFloat(dst_reg[i]);
  math::clear_dst_reg_addr();
  TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::WAIT_SFPU);
  math::clear_addr_mod_base();
}
#endif

void MAIN {
  init_sfpu(0, 16);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(1, 0, 1);
  MATH(_llk_math_eltwise_binary_sfpu_params_<false>(add_far, 1, 0, VectorMode::R);)
  MATH(add_here());
  tile_regs_commit();
  cb_reserve_back(16, 1);
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  cb_push_back(16, 1);
}
} // namespace NAMESPACE
