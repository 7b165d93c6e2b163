// Variables of a kernel belong to one processor: both cores count in the same one.
#include "api/dataflow/dataflow_api.h"
#include <cstdint>

uint32_t sum = 5;
static uint32_t calls;

static void add(uint32_t n) {
  sum += n;
  ++calls;
}

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(1));
  const uint32_t x = get_absolute_logical_x();
  for (uint32_t i = 0; i < 10; ++i) {
    add(x + 1);
    invalidate_l1_cache(); // lets the other core go on
  }
  ASSERT(calls == 10);
  noc_inline_dw_write(c.get_noc_addr(0, 4 * x), sum);
  noc_async_write_barrier();
}
