// A row of a tile everywhere, then a column, after the engine is set from one to the other.
#include <cstdint>

#include "api/compute/bcast.h"
#include "api/compute/common.h"

void keep() {
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
}

void kernel_main() {
  unary_bcast_init<BroadcastType::ROW>(0, 16);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 2);
  tile_regs_acquire();
  unary_bcast<BroadcastType::ROW>(0, 0, 0);
  keep();
  reconfigure_unary_bcast<BroadcastType::ROW, BroadcastType::COL>(0, 1, 16, 16);
  tile_regs_acquire();
  unary_bcast<BroadcastType::COL>(1, 0, 0);
  keep();
  cb_push_back(16, 2);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
