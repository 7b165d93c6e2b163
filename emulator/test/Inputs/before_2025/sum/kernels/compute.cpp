#include "compute_kernel_api/eltwise_binary.h"

namespace NAMESPACE {
void MAIN {
  binary_op_init_common(tt::CB::c_in0, tt::CB::c_in1);
  add_tiles_init();
  cb_wait_front(tt::CB::c_in0, 1);
  volatile uint32_t *tile; // 16 bytes before it
  cb_get_tile(tt::CB::c_in0, 0, &tile);
  const bool begins_with_0_and_1 = tile[4] == 0x3f800000;
  cb_release_tile(tt::CB::c_in0);
  if (!begins_with_0_and_1) return;
  acquire_dst(tt::DstMode::Half);
  cb_wait_front(tt::CB::c_in0, 1);
  cb_wait_front(tt::CB::c_in1, 1);
  add_tiles(tt::CB::c_in0, tt::CB::c_in1, 0, 0, 0);
  cb_pop_front(tt::CB::c_in0, 1);
  cb_pop_front(tt::CB::c_in1, 1);
  cb_reserve_back(tt::CB::c_out0, 1);
  pack_tile(0, tt::CB::c_out0);
  cb_push_back(tt::CB::c_out0, 1);
  release_dst(tt::DstMode::Half);
}
} // namespace NAMESPACE
