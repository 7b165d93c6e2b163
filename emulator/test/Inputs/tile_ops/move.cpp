// Reads four tiles each of A and B, or writes four of C.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t bytes = 2048;
#ifdef WRITE
  const auto c = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  cb_wait_front(16, 4);
  for (uint32_t t = 0; t < 4; ++t) noc_async_write_page(t, c, get_read_ptr(16) + t * bytes);
  noc_async_write_barrier();
  cb_pop_front(16, 4);
#else
  for (uint32_t cb = 0; cb < 2; ++cb) {
    const InterleavedAddrGenFast<true> tensor = {get_arg_val<uint32_t>(cb), bytes,
                                                 get_dataformat(cb)};
    cb_reserve_back(cb, 4);
    for (uint32_t t = 0; t < 4; ++t) noc_async_read_page(t, tensor, get_write_ptr(cb) + t * bytes);
    noc_async_read_barrier();
    cb_push_back(cb, 4);
  }
#endif
}
