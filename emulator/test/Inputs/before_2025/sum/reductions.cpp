// The sum once more, after what trees of early 2024 say of reductions and broadcasts: what is
// reduced are arguments, and inits name no circular buffers.
#define REDUCE_OP PoolType::SUM
#define REDUCE_DIM ReduceDim::REDUCE_ROW
#include "compute_kernel_api/bcast.h"
#include "compute_kernel_api/eltwise_binary.h"
#include "compute_kernel_api/reduce.h"

namespace NAMESPACE {
void MAIN {
  binary_op_init_common(tt::CB::c_in0, tt::CB::c_in1);
  cb_wait_front(tt::CB::c_in0, 1);
  cb_wait_front(tt::CB::c_in1, 1);
  acquire_dst(tt::DstMode::Half);
  reduce_init_delta<false>(PoolType::SUM, ReduceDim::REDUCE_ROW);
  reduce_tile(PoolType::SUM, ReduceDim::REDUCE_ROW, tt::CB::c_in0, tt::CB::c_in1, 0, 0, 1);
  reduce_revert_delta();
  sub_bcast_cols_init_short();
  sub_tiles_bcast_cols(tt::CB::c_in0, tt::CB::c_in1, 0, 0, 2);
  mul_bcast_cols_init_short();
  mul_tiles_bcast_cols(tt::CB::c_in0, tt::CB::c_in1, 0, 0, 3);
  add_tiles_init();
  add_tiles(tt::CB::c_in0, tt::CB::c_in1, 0, 0, 0);
  cb_pop_front(tt::CB::c_in0, 1);
  cb_pop_front(tt::CB::c_in1, 1);
  cb_reserve_back(tt::CB::c_out0, 1);
  pack_tile(0, tt::CB::c_out0);
  cb_push_back(tt::CB::c_out0, 1);
  release_dst(tt::DstMode::Half);
}
} // namespace NAMESPACE
