// Words written into DRAM in the request itself, and a page made up in L1.
#include "api/dataflow/dataflow_api.h"
#include <cstdint>

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(1));
  cb_reserve_back(0, 1);
  auto words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_write_ptr(0));
  for (uint32_t i = 0; i < 512; ++i) words[i] = 7;
  noc_async_write(get_write_ptr(0), c.get_noc_addr(0), 2048);
  noc_async_write_barrier();
  for (uint32_t i = 0; i < 4; ++i) noc_inline_dw_write(c.get_noc_addr(0, 4 * i), 100 + i);
  noc_async_write_barrier();
}
