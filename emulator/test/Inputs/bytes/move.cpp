// A tile each of A and B, or of C.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t bytes = 1024;
#ifdef WRITE
  cb_wait_front(16, 1);
  noc_async_write(get_read_ptr(16), get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0)),
                  bytes);
  noc_async_write_barrier();
  cb_pop_front(16, 1);
#else
  for (uint32_t cb = 0; cb < 2; ++cb) {
    cb_reserve_back(cb, 1);
    noc_async_read(get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(cb)), get_write_ptr(cb),
                   bytes);
    noc_async_read_barrier();
    cb_push_back(cb, 1);
  }
#endif
}
