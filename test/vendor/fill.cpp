// Loads whole tensors into circular buffers that hold them. Runtime arguments: how many, and of
// each its circular buffer, address, pages and bytes of a page.
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
    cb_reserve_back(cb, pages);
    const uint32_t to = get_write_ptr(cb);
    for (uint32_t page = 0; page < pages; ++page)
      noc_async_read(tensor.get_noc_addr(page), to + page * bytes, bytes);
    noc_async_read_barrier();
    cb_push_back(cb, pages);
  }
}
