// C = A B.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"

void kernel_main() {
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
  matmul_init(0, 1);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  tile_regs_acquire();
  matmul_tiles(0, 1, 0, 0, 0);
  tile_regs_commit();
  cb_reserve_back(16, 1);
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
