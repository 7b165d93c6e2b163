// Core (0, 0) reads A and adds one; core (1, 0) fetches the tiles from its L1, and writes them.
#include "api/dataflow/dataflow_api.h"
#include <cstdint>

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(1));
  const uint32_t semaphore = get_semaphore(get_arg_val<uint32_t>(6));
  auto word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(semaphore);
  const uint32_t l1 = get_write_ptr(0);
  if (get_relative_logical_x() == 0) {
    for (uint32_t t = 0; t < 4; ++t) noc_async_read_page(t, a, l1 + t * 2048);
    noc_async_read_barrier();
    auto words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
    for (uint32_t i = 0; i < 2048; ++i) words[i] += 1;
    noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(4), get_arg_val<uint32_t>(5), semaphore),
                      1);
    noc_async_atomic_barrier();
  } else {
    noc_semaphore_wait(word, 1);
    noc_async_read(get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), l1), l1, 8192);
    noc_async_read_barrier();
    for (uint32_t t = 0; t < 4; ++t) noc_async_write_page(t, c, l1 + t * 2048);
    noc_async_write_barrier();
  }
}
