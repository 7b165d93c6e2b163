// Waits for the flag, and reads what came before it.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t l1 = get_arg_val<uint32_t>(4);
  auto *flag =
      reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(get_arg_val<uint32_t>(5)));
  noc_semaphore_wait(flag, 1);
  if (*reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1) != 7) noc_semaphore_set(flag, 2);
}
