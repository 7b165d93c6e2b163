// Sets a semaphore to what the host has set, and another through a pointer, and waits for the other
// core to add to both: if that had come before, it would be lost.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  auto *set = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(
      uintptr_t{get_semaphore(get_arg_val<uint32_t>(5))});
  auto *stored = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(
      uintptr_t{get_semaphore(get_arg_val<uint32_t>(6))});
  noc_semaphore_set(set, 0);
  *stored = 0;
  noc_semaphore_wait_min(set, 1);
  noc_semaphore_wait_min(stored, 1);
}
