#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t l1 = 512 * 1024;
  noc_async_read(get_noc_addr_from_bank_id<true>(2, 4096), l1, 256);
  noc_async_read_barrier();
  noc_async_write(l1, get_noc_addr_from_bank_id<true>(2, 8192), 256);
  noc_async_write_barrier();
}
