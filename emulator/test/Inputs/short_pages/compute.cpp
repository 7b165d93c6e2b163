// Names of two eras: the newest one still has the older ones, deprecated.
#include <cstdint>

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
#ifdef BYTES
  add_tiles_init(0, 1);
#else
  copy_tile_init(0);
  add_binary_tile_init();
#endif
  for (uint32_t i = 0; i < get_compile_time_arg_val(0); ++i) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    tile_regs_acquire();
#ifdef BYTES
    add_tiles(0, 1, 0, 0, 0);
#else
    copy_tile(0, 0, 0);
    copy_tile(1, 0, 1);
    add_binary_tile(0, 1, 0);
#endif
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
}
