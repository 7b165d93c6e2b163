// The largest of columns with their indices: of nine rows of faces, of nine sticks, and of 32 in
// two chunks.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/tile_move_copy.h"

void keep(uint32_t values, uint32_t indices) {
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(values, 16);
  pack_tile(indices, 16);
  tile_regs_release();
}
void bring(uint32_t first) {
  tile_regs_acquire();
  copy_tile(0, first, 0);
  copy_tile(0, first + 1, 2);
}

void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 4);
  cb_reserve_back(16, 4);
  max_reduce_with_indices_init();
  bring(0);
  max_reduce_with_indices(0, 2);
  keep(0, 2);
  max_reduce_with_indices_init<DataLayout::ROW_MAJOR>();
  bring(0);
  max_reduce_with_indices<9, DataLayout::ROW_MAJOR>(0, 2);
  keep(0, 2);
  cb_push_back(16, 4);

  cb_reserve_back(16, 2);
  bring(0);
  max_reduce_with_indices<32, DataLayout::ROW_MAJOR, true>(0, 2, 0);
  copy_tile(0, 2, 0);
  copy_tile(0, 3, 2);
  max_reduce_with_indices<32, DataLayout::ROW_MAJOR, true>(0, 2, 1);
  keep(0, 2);
  cb_push_back(16, 2);
  cb_pop_front(0, 4);
}
