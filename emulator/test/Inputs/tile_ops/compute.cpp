// One op of the compute API on tiles of circular buffers 0 and 1.
#include <cstdint>

#include "api/compute/bcast.h"
#include "api/compute/binary_max_min.h"
#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/eltwise_unary/binop_with_scalar.h"
#include "api/compute/eltwise_unary/comp.h"
#include "api/compute/eltwise_unary/fill.h"
#include "api/compute/eltwise_unary/negative.h"
#include "api/compute/eltwise_unary/relu.h"
#include "api/compute/eltwise_unary/rounding.h"
#include "api/compute/eltwise_unary/rsqrt.h"
#include "api/compute/eltwise_unary/trigonometry.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#define REDUCE_OP PoolType::SUM // defaults that reduce.h wants to be there
#define REDUCE_DIM ReduceDim::REDUCE_ROW
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/transpose.h"

using sixth = void(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);

void kernel_main() {
  cb_wait_front(0, 4);
  cb_wait_front(1, 4);
#if OP == 0 // B transposed
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
  matmul_init(0, 1, 1);
  tile_regs_acquire();
  matmul_tiles(0, 1, 0, 0, 0);
#elif OP == 1 // 2x2 tiles, K of 2 tiles
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
  matmul_block_init(0, 1, 0, 2, 2, 2);
  tile_regs_acquire();
  for (uint32_t k = 0; k < 2; ++k) matmul_block(0, 1, k, 2 * k, 0, 0, 2, 2, 2);
#elif OP == 2
  compute_kernel_hw_startup(0, 16);
  transpose_init(0);
  tile_regs_acquire();
  transpose_tile(0, 0, 0);
#elif OP == 3 // by a pointer with the SDK's own parameters
  compute_kernel_hw_startup(0, 1, 16);
  sub_bcast_rows_init(0, 1);
  tile_regs_acquire();
  constexpr auto subtract = static_cast<sixth *>(sub_tiles_bcast_rows);
  subtract(0, 1, 0, 0, 0, 0);
#elif OP == 4 // the largest of a column; all are negative
  compute_kernel_hw_startup(0, 1, 16);
  reduce_init<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 16);
  tile_regs_acquire();
  reduce_tile<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 0, 0, 0);
#elif OP == 5 // B - (A + B)
  compute_kernel_hw_startup(0, 1, 16);
  add_init(0, 1);
  tile_regs_acquire();
  add_tiles(0, 1, 0, 0, 0);
  sub_reuse_dest_init<EltwiseBinaryReuseDestType::DEST_TO_SRCB>(1);
  sub_reuse_dest_tiles<EltwiseBinaryReuseDestType::DEST_TO_SRCB>(1, 0, 0);
#elif OP == 6 // the sum of the tiles of A, in L1
  compute_kernel_hw_startup(0, 16);
  copy_init(0);
  cb_reserve_back(16, 4);
  for (uint32_t t = 0; t < 4; ++t) {
    tile_regs_acquire();
    copy_tile(0, t, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_reconfig_l1_acc(t > 0);
    pack_tile<true>(0, 16, 0);
    tile_regs_release();
  }
  pack_reconfig_l1_acc(0);
  tile_regs_acquire();
#elif OP == 7 // the larger of floor(2.5 |A|) and B
  compute_kernel_hw_startup(0, 16);
  copy_init(0);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(1, 0, 1);
  abs_tile_init();
  abs_tile(0);
  binop_with_scalar_tile_init();
  mul_unary_tile(0, 0x40200000);
  rounding_op_tile_init();
  floor_tile(0);
  binary_max_tile_init();
  binary_max_tile(0, 1, 0);
  sub_binary_tile_init();
  sub_binary_tile(1, 1, 1);
#elif OP == 8 // rows of 16 elements of A, over zeros
  compute_kernel_hw_startup(0, 16);
  copy_init(0);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
#endif
  // The tiles that the op left alone are zero, and said to be.
  fill_tile_init();
  for (uint32_t t = OP == 1 ? 4 : OP == 7 ? 2 : 1; t < 4; ++t) fill_tile(t, 0.0f);
  tile_regs_commit();
  cb_reserve_back(16, 4);
  tile_regs_wait();
#if OP == 6
  for (uint32_t t = 3; t > 0; --t) pack_tile<true>(t, 16, t);
#elif OP == 8
  for (uint32_t t = 0; t < 4; ++t) pack_tile<true>(1, 16, t);
  pack_rows_init(40);
  pack_rows(0, 16);
  pack_rows_uninit();
#else
  pack_block(0, 16, 4);
#endif
  tile_regs_release();
  cb_push_back(16, 4);
  cb_pop_front(0, 4);
  cb_pop_front(1, 4);
}
