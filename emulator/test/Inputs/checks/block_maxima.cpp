// The largest elements of rows of three tiles behind the first one, in one call.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reduce_custom.h"

void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
  reduce_block_max_row_init<3>();
  cb_wait_front(0, 4);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  reduce_block_max_row<3>(0, 1, 1, 0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  reduce_block_max_row_uninit(0);
  cb_push_back(16, 1);
  cb_pop_front(1, 1);
  cb_pop_front(0, 4);
}
