#include "api/dataflow/dataflow_api.h"
#include "api/remote_circular_buffer.h"

void kernel_main() {
  constexpr uint32_t remote = 31, source = 1;
  constexpr uint32_t blocks = get_compile_time_arg_val(0), rows = get_compile_time_arg_val(1);
  constexpr auto args = TensorAccessorArgs<2>();
  const auto in = TensorAccessor(args, get_arg_val<uint32_t>(0), 2 * rows * 64);
  for (uint32_t b = 0; b < blocks; ++b) {
    cb_reserve_back(source, 1);
    noc_async_read_page(b, in, get_write_ptr(source));
    noc_async_read_barrier();
    experimental::remote_cb_reserve_back(remote, 1);
    experimental::remote_cb_push_back_and_write_pages<false>(remote, get_write_ptr(source), 1, rows,
                                                             1, 64);
    noc_async_writes_flushed();
  }
  experimental::remote_cb_sender_barrier(remote);
  experimental::update_remote_cb_config_in_l1(remote);
  noc_async_atomic_barrier();
}
