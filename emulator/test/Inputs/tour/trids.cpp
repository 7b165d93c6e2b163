// Two transactions in flight; each barrier waits for its own.
#include "api/dataflow/dataflow_api.h"
#include <cstdint>

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(1));
  cb_reserve_back(0, 4);
  const uint32_t l1 = get_write_ptr(0);
  for (uint32_t t = 0; t < 4; ++t) {
    noc_async_read_set_trid(1 + t % 2);
    noc_async_read_page(t, a, l1 + t * 2048);
  }
  for (uint32_t trid = 1; trid <= 2; ++trid) {
    noc_async_read_barrier_with_trid(trid);
    for (uint32_t t = trid - 1; t < 4; t += 2)
      noc_async_write_one_packet_with_trid(l1 + t * 2048, c.get_noc_addr(t), 2048, trid);
    noc_async_write_flushed_with_trid(trid);
  }
  noc_async_write_barrier_with_trid(1);
  noc_async_write_barrier_with_trid(2);
}
