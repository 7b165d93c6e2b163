// The larger of A and B.
#include "compute_kernel_api.h"
#include "compute_kernel_api/common.h"
#include "compute_kernel_api/eltwise_binary.h"
#include "compute_kernel_api/eltwise_unary/ceil.h"
#include "compute_kernel_api/eltwise_unary/eltwise_unary.h"
#include "compute_kernel_api/tile_move_copy.h"
#include "compute_kernel_api/unpack.h"
#include "debug/dprint_tensix.h"

namespace NAMESPACE {
void MAIN {
  unary_op_init_common(tt::CB::c_in0);
  unpack_reconfig_data_format(tt::CB::c_in0, tt::CB::c_in0);
  unpack_reconfig_data_format_srca(tt::CB::c_out0, tt::CB::c_in0);
  cb_wait_front(tt::CB::c_in0, 2);
  tile_regs_acquire();
  binary_op_specific_init<false>(1); // what a copy then replaces
  copy_tile_init();
  copy_tile(tt::CB::c_in0, 0, 0);
  copy_tile(tt::CB::c_in0, 1, 1);
  copy_tile(tt::CB::c_in0, 0, 2);
  unary_eq_tile_init(); // which comes with the first header
  unary_eq_tile(2, 0);
  max_tile_init();
  max_tile(0, 1);
  dprint_tensix_dest_reg(0);
  tile_regs_commit();
  cb_reserve_back(tt::CB::c_out0, 1);
  tile_regs_wait();
  matmul_pack_tile(0, tt::CB::c_out0, 1);
  tile_regs_release();
  cb_push_back(tt::CB::c_out0, 1);
  cb_pop_front(tt::CB::c_in0, 2);
}
} // namespace NAMESPACE
