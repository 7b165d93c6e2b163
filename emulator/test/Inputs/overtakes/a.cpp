// Data for the other core, and right behind it the flag.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);
  const uint32_t l1 = get_arg_val<uint32_t>(4);
  const uint32_t flag = get_semaphore(get_arg_val<uint32_t>(5));
  for (uint32_t i = 0; i < 512; i += 4)
    *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1 + i) = 7;
  noc_semaphore_set(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(flag), 1);
  noc_async_write(l1, get_noc_addr(x, y, l1), 512);
  noc_semaphore_set_remote(flag, get_noc_addr(x, y, flag));
  noc_async_write_barrier();
}
