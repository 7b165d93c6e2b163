// The largest of each row, where the unpacker and math are told apart: either takes the reduction
// that the program names.
#define REDUCE_OP PoolType::MAX
#define REDUCE_DIM ReduceDim::REDUCE_ROW
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reduce.h"

void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
  reduce_init(0, 1, 16);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  UNPACK((llk_unpack_AB_reduce(0, 1, 0, 0)));
  reduce_tile_math(0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  reduce_uninit();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
