// Counts the runs, then stores what compute has made.
#include "dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb = 16, scratch = 24;
  auto out = get_interleaved_addr_gen<true, 2048>(get_arg_val<uint32_t>(0));
  auto count = get_interleaved_addr_gen<true, 32>(get_arg_val<uint32_t>(1));
  // An address is as good as a number.
  noc_semaphore_wait(
      reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(get_arg_val<uint32_t>(2))), 1);
  cb_reserve_back(scratch, 1);
  volatile tt_l1_ptr uint32_t *words =
      reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_write_ptr(scratch));
  noc_async_read(get_noc_addr(0, count), get_write_ptr(scratch), 32);
  noc_async_read_barrier();
  *words += 1;
  noc_async_write(get_write_ptr(scratch), get_noc_addr(0, count), 32);
  noc_async_write_barrier();
  cb_wait_front(cb, 1);
  noc_async_write(get_read_ptr(cb), get_noc_addr(0, out), 2048);
  noc_async_write_barrier();
  cb_pop_front(cb, 1);
}
