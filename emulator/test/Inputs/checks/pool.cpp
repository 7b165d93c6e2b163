// The largest of nine rows, which become an operand without a tile of them, to a row in L1.
#include <cstdint>

#include "api/compute/common.h"
#define REDUCE_OP PoolType::MAX
#define REDUCE_DIM ReduceDim::REDUCE_COL
#include "api/compute/pack_untilize.h"
#include "api/compute/reduce.h"
#include "api/compute/tilize.h"

void kernel_main() {
  tilizeA_B_reduce_init<true>(0, 1, 1, 16, 2, 9);
  pack_untilize_dest_init<1>(16, 1, 2);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  unpack_tilizeA_B_block<true, true>(0, 1, 1, 0, 2, 9);
  reduce_tile_math(0, 2);
  tile_regs_commit();
  tile_regs_wait();
  pack_untilize_dest<1>(16, 1, 0, 1, 2);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
