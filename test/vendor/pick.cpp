// Takes row r of the r-th of every 32 pages of a circular buffer, and makes a page of another one
// of them. Runtime arguments: both, how many pages to make, bytes of a row, then as for drain.cpp.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr auto layout = TensorAccessorArgs<0>();
  const uint32_t from = get_arg_val<uint32_t>(0), to = get_arg_val<uint32_t>(1),
                 made = get_arg_val<uint32_t>(2), row = get_arg_val<uint32_t>(3);
  const uint32_t cb = get_arg_val<uint32_t>(4), address = get_arg_val<uint32_t>(5),
                 bytes = get_arg_val<uint32_t>(6);
  const auto tensor = TensorAccessor(layout, address, bytes);
  for (uint32_t page = 0; page < made; ++page) {
    cb_reserve_back(to, 1);
    for (uint32_t r = 0; r < 32; ++r) {
      cb_wait_front(from, 1);
      noc_async_read(get_noc_addr(get_read_ptr(from) + r * row), get_write_ptr(to) + r * row, row);
      noc_async_read_barrier();
      cb_pop_front(from, 1);
    }
    cb_push_back(to, 1);
    cb_wait_front(cb, 1);
    noc_async_write(get_read_ptr(cb), tensor.get_noc_addr(page), bytes);
    noc_async_write_barrier();
    cb_pop_front(cb, 1);
  }
}
