// Products so far, as the vendor's kernel has them: the engine is started up for each, and a tile
// is copied to the half of DST that nobody holds.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  cb_wait_front(0, 3);
  cb_reserve_back(16, 3);
  for (uint32_t i = 0; i < 3; ++i) {
    tile_regs_acquire();
    binary_op_init_common(0, i == 0 ? 0 : 1, 16);
    if (i == 0) {
      copy_tile_to_dst_init_short(0);
      copy_tile(0, 0, 0);
    } else {
      mul_tiles_init(0, 1);
      mul_tiles(0, 1, i, 0, 0);
      cb_pop_front(1, 1);
    }
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(1, 1);
    pack_tile(0, 1);
    cb_push_back(1, 1);
    cb_wait_front(1, 1);
    copy_tile_to_dst_init_short(1);
    copy_tile(1, 0, 0);
    pack_tile(0, 16);
    tile_regs_release();
  }
  cb_pop_front(1, 1);
  cb_push_back(16, 3);
  cb_pop_front(0, 3);
}
