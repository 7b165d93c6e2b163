#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  DataflowBuffer in(0);
  const auto a = TensorAccessor(args, get_arg_val<uint32_t>(0), in.get_entry_size());
  ASSERT(in.get_total_num_entries() == 2 && in.get_total_size_bytes() == 4096);
  ASSERT(in.get_id() == 0 && in.get_local_num_entries() == 2 && in.get_stride_size() == 2048);
  Noc noc;
  for (uint32_t i = 0; i < tiles; ++i) {
    in.reserve_back(1);
    noc.async_read(a, in, in.get_entry_size(), {.page_id = i}, {.offset_bytes = 0});
    noc.async_read_barrier();
    if (i == 1) { // the first element is doubled by the processor, and halved again
      const auto lock = in.scoped_write_lock();
      lock.get_ptr<uint16_t>()[0] += 0x80;
      lock.get_ptr<uint16_t>()[0] -= 0x80;
    }
    in.push_back(1);
  }
}
