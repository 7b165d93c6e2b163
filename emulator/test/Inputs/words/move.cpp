// Four pages of a tensor, to circular buffer 0 or from 16.
#include "api/dataflow/dataflow_api.h"
#include <cstdint>

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tensor = TensorAccessor(args, get_arg_val<uint32_t>(0));
#ifdef WRITE
  cb_wait_front(16, 4);
  for (uint32_t t = 0; t < 4; ++t)
    noc_async_write_page(t, tensor, get_read_ptr(16) + t * tensor.page_bytes);
  noc_async_write_barrier();
  cb_pop_front(16, 4);
#else
  cb_reserve_back(0, 4);
  for (uint32_t t = 0; t < 4; ++t)
    noc_async_read_page(t, tensor, get_write_ptr(0) + t * tensor.page_bytes);
  noc_async_read_barrier();
  cb_push_back(0, 4);
#endif
}
