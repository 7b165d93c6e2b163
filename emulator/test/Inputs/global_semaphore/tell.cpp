// Core (0, 0) tells core (1, 0) by a semaphore that outlives programs.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t address = get_arg_val<uint32_t>(0);
  if (get_arg_val<uint32_t>(1)) {
    noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), address), 1);
    noc_async_atomic_barrier();
  } else {
    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address), 8);
  }
}
