#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t a = get_arg_val<uint32_t>(0), b = get_arg_val<uint32_t>(1),
                 bytes = get_arg_val<uint32_t>(2);
  const InterleavedAddrGen<true> from_a = {.bank_base_address = a, .page_size = bytes},
                                 from_b = {.bank_base_address = b, .page_size = bytes};
  for (uint32_t i = 0; i < get_compile_time_arg_val(0); ++i) {
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    noc_async_read(get_noc_addr(i, from_a), get_write_ptr(0), bytes);
    noc_async_read(get_noc_addr(i, from_b), get_write_ptr(1), bytes);
    noc_async_read_barrier();
    cb_push_back(0, 1);
    cb_push_back(1, 1);
  }
}
