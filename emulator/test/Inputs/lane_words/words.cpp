// Whole numbers of 32 bits in lanes: bits, shifts by lanes, sums and differences that wrap,
// comparisons with lanes and numbers, in nested conditions; a tile's value from two others and
// from what is passed along.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/tile_move_copy.h"

#ifdef TRISC_MATH
using namespace sfpi;

inline void mix(uint32_t first, uint32_t second, uint32_t out, uint32_t added) {
  for (uint32_t i = 0; i < 8; ++i) {
    vUInt a = dst_reg[first * 32 + i], b = dst_reg[second * 32 + i];
    vUInt count = b & 31;
    vUInt turned = a << count;
    v_if(count != 0) {
      vUInt rest = vUInt(32) - count;
      turned = turned | (a >> rest);
      v_if(turned == a) { turned = ~turned; }
      v_endif;
    }
    v_endif;
    vUInt low = turned >> 31;
    vUInt sum = turned + added;
    sum = sum - 1;
    v_if(low == 0) { sum = vUInt(0) - sum; }
    v_elseif(a == vUInt(0) - 1) { sum = 7; }
    v_else { sum = sum ^ b; }
    v_endif;
    vUInt ones = vUInt(0) - 1;
    v_if(b == ones) { sum = a; }
    v_endif;
    dst_reg[out * 32 + i] = sum;
  }
}
#endif

#if TTEMU_API >= 202608
#define RUN _llk_math_eltwise_binary_sfpu_params_
#else
#define RUN _llk_math_eltwise_binary_sfpu_params_<false>
#define copy_init copy_tile_to_dst_init_short
#endif

void kernel_main() {
  compute_kernel_hw_startup(0, 16);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  copy_init(0);
  copy_tile(0, 0, 0);
  copy_init(1);
  copy_tile(1, 0, 1);
  MATH(RUN(mix, 0, 1, 2, VectorMode::RC, 12345));
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(2, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
