// Looks at it until it changes, without invalidate_l1_cache.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  auto *ready = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(
      uintptr_t{get_semaphore(get_arg_val<uint32_t>(5))});
  while (*ready != 1) {
  }
}
