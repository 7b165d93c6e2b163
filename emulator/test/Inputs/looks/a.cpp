// Adds to a semaphore of the other core, after a while.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  for (uint32_t i = 0; i < 500; ++i) noc_async_read_barrier();
  noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3),
                                 get_semaphore(get_arg_val<uint32_t>(5))),
                    1);
  noc_async_atomic_barrier();
}
