#include "dataflow_api.h"

void kernel_main() {
  uint64_t to =
      get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(0));
  cb_wait_front(tt::CB::c_out0, 1);
  noc_async_write(get_read_ptr(tt::CB::c_out0), to, get_tile_size(tt::CB::c_out0));
  noc_async_write_barrier();
  cb_pop_front(tt::CB::c_out0, 1);
}
