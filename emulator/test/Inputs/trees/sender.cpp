#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t x0 = get_arg_val<uint32_t>(0), y0 = get_arg_val<uint32_t>(1);
  const uint32_t x1 = get_arg_val<uint32_t>(2), y1 = get_arg_val<uint32_t>(3);
  const uint32_t targets = get_arg_val<uint32_t>(4), l1 = get_write_ptr(0);
  const uint64_t to = get_noc_multicast_addr(x0, y0, x1, y1, l1);
  for (uint32_t i = 0; i < 64; ++i) {
    noc_async_write_multicast(l1, to, 8192, targets);
  }
  noc_async_write_barrier();
}
