// Stores what circular buffers get, page by page, one after the other. Runtime arguments as in
// fill.cpp.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr auto layout = TensorAccessorArgs<0>();
  const uint32_t tensors = get_arg_val<uint32_t>(0);
  for (uint32_t t = 0; t < tensors; ++t) {
    const uint32_t cb = get_arg_val<uint32_t>(4 * t + 1),
                   address = get_arg_val<uint32_t>(4 * t + 2),
                   pages = get_arg_val<uint32_t>(4 * t + 3),
                   bytes = get_arg_val<uint32_t>(4 * t + 4);
    const auto tensor = TensorAccessor(layout, address, bytes);
    for (uint32_t page = 0; page < pages; ++page) {
      cb_wait_front(cb, 1);
      noc_async_write(get_read_ptr(cb), tensor.get_noc_addr(page), bytes);
      noc_async_write_barrier();
      cb_pop_front(cb, 1);
    }
  }
}
