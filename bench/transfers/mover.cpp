// Reads pages of a tensor in DRAM, and writes to the core on the right, sixteen at a time.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr auto layout = TensorAccessorArgs<0>();
  constexpr uint32_t bytes = 64, group = 16;
  const uint32_t transfers = get_arg_val<uint32_t>(0), first = get_arg_val<uint32_t>(2),
                 x = get_arg_val<uint32_t>(3), y = get_arg_val<uint32_t>(4);
  const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(1), bytes);
  cb_reserve_back(0, 2);
  const uint32_t in = get_write_ptr(0), out = in + group * bytes;
  const uint64_t right = get_noc_addr(x, y, out);
  for (uint32_t done = 0; done < transfers; done += 2 * group) {
    for (uint32_t i = 0; i < group; ++i)
      noc_async_read(tensor.get_noc_addr((first + done + i) % 1024), in + i * bytes, bytes);
    noc_async_read_barrier();
    for (uint32_t i = 0; i < group; ++i) noc_async_write(in + i * bytes, right + i * bytes, bytes);
    noc_async_write_barrier();
  }
}
