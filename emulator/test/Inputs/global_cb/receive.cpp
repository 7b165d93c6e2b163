#include "api/dataflow/dataflow_api.h"
#include "api/remote_circular_buffer.h"

void kernel_main() {
  constexpr uint32_t remote = 31, local = 0;
  constexpr auto args = TensorAccessorArgs<1>();
  const auto out =
      TensorAccessor(args, get_arg_val<uint32_t>(0), get_local_cb_interface(local).fifo_page_size);
  const uint32_t first = get_arg_val<uint32_t>(1);
  experimental::RemoteCircularBuffer cb{remote};
  experimental::Noc noc;
  for (uint32_t b = 0; b < get_compile_time_arg_val(0); ++b) {
    cb.wait_front(1);
    cb_reserve_back(local, 1);
    cb_push_back(local, 1);
    cb_wait_front(local, 1);
    noc_async_write_page(first + b, out, get_read_ptr(local));
    noc_async_write_barrier();
    cb_pop_front(local, 1);
    cb.pop_front(noc, 1);
  }
  cb.commit();
  noc_async_atomic_barrier();
}
