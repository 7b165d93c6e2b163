// Rows of a tile are added to those of another one that a list in L1 names.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/reshuffle.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 2);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(0, 1, 1);
  reshuffle_rows_tile_init();
  reshuffle_rows_tile(0, get_tile_address(1, 0));
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(1, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 2);
  cb_pop_front(1, 1);
}
