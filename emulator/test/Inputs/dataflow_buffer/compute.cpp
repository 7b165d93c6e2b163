#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/dataflow/dataflow_buffer.h"

void kernel_main() {
  DataflowBuffer in(0), out(16);
  compute_kernel_hw_startup(0, 0, 16);
  add_tiles_init(0, 0);
  for (uint32_t i = 0; i < get_compile_time_arg_val(0); ++i) {
    in.wait_front(1);
    out.reserve_back(1);
    tile_regs_acquire();
    add_tiles(0, 0, 0, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    out.push_back(1);
    in.pop_front(1);
  }
}
