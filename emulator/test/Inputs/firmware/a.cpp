// Reads the other core's L1 from its start on, where its firmware lies, and writes back what it has
// read. Tests change the line between, or the write.
#include "api/dataflow/dataflow_api.h"

static uint64_t there(uint32_t at) {
  return get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), at);
}

void kernel_main() {
  const uint32_t here = get_arg_val<uint32_t>(4);
  for (uint32_t at = 0; at < 40; ++at) {
    noc_async_read(there(at), here, 64);
    noc_async_read_barrier();
    // between
    noc_async_write(here, there(at), 64);
    noc_async_write_barrier();
  }
}
