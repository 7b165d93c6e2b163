#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t mode = get_compile_time_arg_val(0), l1 = 512 * 1024;
  const uint64_t own = get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), l1);
  const uint64_t other = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), l1);
  auto *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
  if constexpr (mode == 5) words[1] = 3;
  if constexpr (mode == 6 || mode == 7) { // to all cores, itself among them
    for (uint32_t i = 0; i < 4; ++i) noc_async_write(l1, own, 256);
    noc_async_write(l1, other, 256);
    if constexpr (mode == 7) noc_async_writes_flushed(); // what is sent may still come back
    else noc_async_write_barrier();
    words[2] = 6;
    noc_async_write_barrier();
    return;
  }
  for (uint32_t i = 0; i < 4; ++i) noc_async_read(own, l1, 256);
  if constexpr (mode == 1) words[2] = 8; // a read may bring back what was there
  if constexpr (mode == 2) noc_async_read(own + 128, l1, 128); // other bytes of its own
  if constexpr (mode == 3) noc_async_read(other, l1, 256);     // which are not the same
  noc_async_read_barrier();
  if constexpr (mode == 0) words[2] = 6;
}
