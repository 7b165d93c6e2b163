#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  DataflowBuffer out(16);
  const auto b = TensorAccessor(args, get_arg_val<uint32_t>(0), out.get_entry_size());
  Noc noc;
  for (uint32_t i = 0; i < tiles; ++i) {
    out.wait_front(1);
    noc.async_write(out, b, out.get_entry_size(), {.offset_bytes = 0}, {.page_id = i});
    out.write_barrier(noc);
    out.pop_front(1);
  }
  out.finish();
}
