// Reads two tiles, or writes one. The size of a tile is a constant.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t bytes = get_tile_size(16);
  static_assert(bytes == 4096);
  const auto tensor = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), bytes);
#ifdef WRITE
  cb_wait_front(16, 1);
  noc_async_write_page(0, tensor, get_read_ptr(16));
  noc_async_write_barrier();
  cb_pop_front(16, 1);
#else
  cb_reserve_back(0, 2);
  for (uint32_t t = 0; t < 2; ++t) noc_async_read_page(t, tensor, get_write_ptr(0) + t * bytes);
  noc_async_read_barrier();
  cb_push_back(0, 2);
#endif
}
