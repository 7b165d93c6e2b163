// Reads from one bank whose coordinates are set once; writes likewise; then whole pages.
#include "api/dataflow/dataflow_api.h"
#include <cstdint>

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  constexpr uint32_t tiles = get_named_compile_time_arg_val("tiles"),
                     page = get_named_compile_time_arg_val("page");
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(1));
  cb_reserve_back(0, tiles);
  const uint32_t l1 = get_write_ptr(0);
  for (uint32_t t = 0; t < tiles; ++t) {
    const uint64_t from = a.get_noc_addr(t);
    if (t % 2 == 0) {
      noc_async_read_one_packet_set_state(from, page / 2);
      noc_async_read_one_packet_with_state(uint32_t(from), l1 + t * page);
      noc_async_read_one_packet_with_state(uint32_t(from) + page / 2, l1 + t * page + page / 2);
    } else {
      noc_async_read_set_state(from);
      noc_async_read_with_state(uint32_t(from), l1 + t * page, page);
    }
  }
  noc_async_read_barrier();
  for (uint32_t t = 0; t < tiles; ++t) {
    const uint64_t to = c.get_noc_addr(t);
    noc_async_write_one_packet_set_state(to, page);
    noc_async_write_one_packet_with_state(l1 + t * page, uint32_t(to));
  }
  noc_async_write_barrier();
}
