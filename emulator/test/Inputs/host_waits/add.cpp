// Adds 1 to a word of another core.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint64_t to =
      get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2));
  noc_semaphore_inc(to, 1);
  noc_async_atomic_barrier();
}
