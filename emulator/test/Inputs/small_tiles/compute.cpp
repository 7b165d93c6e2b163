// An op on tiles that the host gives another shape than 32x32.
#include <cstdint>

#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/copy_dest_values.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/fill.h"
#include "api/compute/matmul.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/transpose_wh.h"

static void store(uint32_t dst, uint32_t cb) {
  cb_reserve_back(cb, 1);
  tile_regs_wait();
  pack_tile(dst, cb);
  tile_regs_release();
  cb_push_back(cb, 1);
}

#if OP == 0 // through a buffer of blocks
static void run(uint32_t t) {
  copy_tile_init(0);
  pack_reconfig_data_format(24);
  tile_regs_acquire();
  copy_tile(0, t, 0);
  tile_regs_commit();
  store(0, 24);
  cb_wait_front(24, 1);
  reconfig_data_format_srca(24);
  copy_tile_init(24);
  pack_reconfig_data_format(16);
  tile_regs_acquire();
  copy_tile(24, 0, 0);
  tile_regs_commit();
  store(0, 16);
  cb_pop_front(24, 1);
  reconfig_data_format_srca(0);
}
#else
static void run(uint32_t t) {
  tile_regs_acquire();
#if OP == 1
  sub_tiles_init(0, 1);
  sub_tiles(0, 1, t, t, 0);
#elif OP == 2
  add_bcast_rows_init_short(0, 1);
  add_tiles_bcast_rows(0, 1, t, t, 0);
#elif OP == 3
  add_bcast_cols_init_short(0, 1);
  add_tiles_bcast_cols(0, 1, t, t, 0);
#elif OP == 4
  add_bcast_scalar_init_short(0, 1);
  add_tiles_bcast_scalar(0, 1, t, t, 0);
#elif OP == 5
  reduce_init<REDUCE_OP, REDUCE_DIM>(0, 1, 16);
  reduce_tile<REDUCE_OP, REDUCE_DIM>(0, 1, t, 0, 0);
  reduce_uninit();
#elif OP == 6 || OP == 11
  mm_init_short(0, 1);
#if OP == 11 // to the packer alone
  pack_untilize_dest_init<1>(16);
  pack_untilize_uninit(16);
#endif
  matmul_tiles(0, 1, 0, 0, 0);
  matmul_tiles(0, 1, 1, 1, 0);
#elif OP == 7
  transpose_wh_init_short(0);
  transpose_wh_tile(0, t, 0);
#elif OP == 8  // the init of others
  copy_tile_init(1);
  copy_tile(0, t, 0);
#elif OP == 9  // a product where another was
  copy_tile_init(0);
  copy_tile(0, t, 1);
  copy_tile_init(1);
  copy_tile(1, t, 0);
#elif OP == 10 // functions whose inits set up nothing
  copy_tile_init(0);
  copy_tile(0, t, 1);
  exp_tile_init();
  fill_tile(0, 3.0f);
  copy_dest_values(1, 0);
#endif
  tile_regs_commit();
  store(0, 16);
}
#endif

void kernel_main() {
#if OP == 6 || OP == 11
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
#else
  compute_kernel_hw_startup(0, 1, 16);
#endif
  cb_wait_front(0, 2);
  cb_wait_front(1, 2);
  for (uint32_t t = 0; t < TILES; ++t) run(t);
  cb_pop_front(0, 2);
  cb_pop_front(1, 2);
}
