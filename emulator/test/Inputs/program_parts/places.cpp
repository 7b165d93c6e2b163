// Leaves where the circular buffers of this core lie.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  auto *told = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(uintptr_t{get_arg_val<uint32_t>(0)});
  for (uint32_t i = 0; i < 3; ++i) told[i] = get_write_ptr(i);
}
