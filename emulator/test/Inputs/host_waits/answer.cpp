// Waits for 1, 2, … at an address, and answers each.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  auto *flag = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_arg_val<uint32_t>(0));
  auto *answer = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_arg_val<uint32_t>(1));
  const uint32_t rounds = get_arg_val<uint32_t>(2);
  for (uint32_t i = 1; i <= rounds; ++i) {
    if constexpr (get_compile_time_arg_val(0) == 0) {
      noc_semaphore_wait_min(flag, i);
    } else {
      while (*flag != i) invalidate_l1_cache();
    }
    *answer = 10 * i;
  }
}
