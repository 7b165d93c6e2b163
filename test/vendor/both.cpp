// fill.cpp and then drain.cpp, in one kernel, for programs whose reader is another. Runtime
// arguments: those of the first, then those of the second.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr auto layout = TensorAccessorArgs<0>();
  uint32_t at = 0;
  for (const bool fills : {true, false}) {
    const uint32_t tensors = get_arg_val<uint32_t>(at++);
    for (uint32_t t = 0; t < tensors; ++t, at += 4) {
      const uint32_t cb = get_arg_val<uint32_t>(at), address = get_arg_val<uint32_t>(at + 1),
                     pages = get_arg_val<uint32_t>(at + 2), bytes = get_arg_val<uint32_t>(at + 3);
      const auto tensor = TensorAccessor(layout, address, bytes);
      for (uint32_t page = 0; page < pages; ++page) {
        if (fills) {
          cb_reserve_back(cb, 1);
          noc_async_read(tensor.get_noc_addr(page), get_write_ptr(cb), bytes);
          noc_async_read_barrier();
          cb_push_back(cb, 1);
        } else {
          cb_wait_front(cb, 1);
          noc_async_write(get_read_ptr(cb), tensor.get_noc_addr(page), bytes);
          noc_async_write_barrier();
          cb_pop_front(cb, 1);
        }
      }
    }
  }
}
