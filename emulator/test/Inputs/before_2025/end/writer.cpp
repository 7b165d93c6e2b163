// C, with the kernel library's header of the hardware.
#include "tt_metal/hw/inc/dataflow_api.h"

#include "tensix_types.h"

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto c = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(16));
  experimental::Noc noc;
  experimental::CircularBuffer cb(16);
  cb.wait_front(1);
  noc.async_write(cb, c, get_tile_size(16), {}, {.page_id = 0});
  noc.async_write_barrier();
  cb.pop_front(1);
}
