// The first core reads and multicasts; the second one writes: Noc, CircularBuffer, Semaphore.
#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"
#include "api/tensor/noc_traits.h"
#include <cstdint>

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(1));
  const uint32_t x = get_arg_val<uint32_t>(4), y = get_arg_val<uint32_t>(5);
  Noc noc;
  CircularBuffer cb(0);
  Semaphore<> ready(get_arg_val<uint32_t>(6)), sent(get_arg_val<uint32_t>(7));
  const uint32_t bytes = cb.get_tile_size();
  cb.reserve_back(4);
  if (get_absolute_logical_x() == 0) {
    for (uint32_t t = 0; t < 4; ++t)
      noc.async_read(a, cb, bytes, {.page_id = t}, {.offset_bytes = t * bytes});
    noc.async_read_barrier();
    ready.wait(1);
    noc.async_write_multicast(use<CircularBuffer::AddrSelector::WRITE_PTR>(cb), MulticastEndpoint{},
                              4 * bytes, 1, {},
                              {.noc_x_start = x,
                               .noc_y_start = y,
                               .noc_x_end = x,
                               .noc_y_end = y,
                               .addr = cb.get_write_ptr()});
    noc.async_writes_flushed();
    sent.set(1);
    sent.set_multicast(noc, x, y, x, y, 1);
    noc.async_write_barrier();
  } else {
    ready.up(noc, get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), 1);
    sent.wait(1);
    cb.push_back(4);
    cb.wait_front(4);
    for (uint32_t t = 0; t < 4; ++t)
      noc.async_write(cb, c, bytes, {.offset_bytes = t * bytes}, {.page_id = t});
    noc.async_write_barrier();
    cb.pop_front(4);
    noc.async_atomic_barrier();
  }
}
