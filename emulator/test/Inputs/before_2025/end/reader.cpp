// A and B, one tile each: objects of the NoC and a tensor, by headers of that time.
#include "dataflow_api.h"

#include "accessor/tensor_accessor.h"
#include "risc_attribs.h"

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0), get_tile_size(0));
  const auto b = TensorAccessor(b_args, get_arg_val<uint32_t>(1), get_tile_size(1));
  experimental::Noc noc;
  experimental::CircularBuffer cb_a(0), cb_b(1);
  cb_a.reserve_back(1);
  cb_b.reserve_back(1);
  noc.async_read(a, cb_a, get_tile_size(0), {.page_id = 0}, {});
  noc.async_read(b, cb_b, get_tile_size(1), {.page_id = 0}, {});
  noc.async_read_barrier();
  cb_a.push_back(1);
  cb_b.push_back(1);
}
