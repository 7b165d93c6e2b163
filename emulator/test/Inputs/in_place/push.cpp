#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  auto *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(640 * 1024);
  for (uint32_t i = 0; i < 64; ++i) words[i] = i;
  noc_async_write(640 * 1024,
                  get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), 512 * 1024),
                  256);
  noc_async_write_barrier();
}
