#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t c = get_arg_val<uint32_t>(0), bytes = get_arg_val<uint32_t>(1);
  const InterleavedAddrGen<true> to_c = {.bank_base_address = c, .page_size = bytes};
  for (uint32_t i = 0; i < get_compile_time_arg_val(0); ++i) {
    cb_wait_front(16, 1);
    noc_async_write(get_read_ptr(16), get_noc_addr(i, to_c), bytes);
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
