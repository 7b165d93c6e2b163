// Loads two tiles for each of two circular buffers, or stores what is made.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
#ifdef WRITE
  constexpr uint32_t cb = 16, tile_bytes = get_tile_size(cb); // as a constant
  constexpr auto args = TensorAccessorArgs<0>();
  const auto out = TensorAccessor(args, get_arg_val<uint32_t>(0), tile_bytes);
  for (uint32_t t = 0; t < TILES; ++t) {
    cb_wait_front(cb, 1);
    noc_async_write_tile(t, out, get_read_ptr(cb));
    noc_async_write_barrier();
    cb_pop_front(cb, 1);
  }
#else
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0), get_tile_size(0));
  const auto b = TensorAccessor(b_args, get_arg_val<uint32_t>(1), get_tile_size(1));
  ASSERT(get_tile_hw(0) * 2 == get_tile_size(0) && get_tile_num_faces(0) == FACES);
  for (uint32_t t = 0; t < 2; ++t) {
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    noc_async_read_tile(t, a, get_write_ptr(0));
    noc_async_read_tile(t, b, get_write_ptr(1));
    noc_async_read_barrier();
    cb_push_back(0, 1);
    cb_push_back(1, 1);
  }
#endif
}
