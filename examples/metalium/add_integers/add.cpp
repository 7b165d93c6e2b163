// Adds two pages of integers on a data movement core, word by word.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t x_addr = get_arg_val<uint32_t>(0);
    const uint32_t y_addr = get_arg_val<uint32_t>(1);
    const uint32_t z_addr = get_arg_val<uint32_t>(2);
    const uint32_t l1_addr = get_arg_val<uint32_t>(3);  // a buffer in L1: room for three pages
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr auto x_args = TensorAccessorArgs<1>();
    constexpr auto y_args = TensorAccessorArgs<x_args.next_compile_time_args_offset()>();
    constexpr auto z_args = TensorAccessorArgs<y_args.next_compile_time_args_offset()>();

    const auto x = TensorAccessor(x_args, x_addr, page_bytes);
    const auto y = TensorAccessor(y_args, y_addr, page_bytes);
    const auto z = TensorAccessor(z_args, z_addr, page_bytes);
    noc_async_read(get_noc_addr(0, x), l1_addr, page_bytes);
    noc_async_read(get_noc_addr(0, y), l1_addr + page_bytes, page_bytes);
    noc_async_read_barrier();

    auto* a = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(l1_addr);
    auto* b = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(l1_addr + page_bytes);
    auto* c = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(l1_addr + 2 * page_bytes);
    for (uint32_t i = 0; i < page_bytes / sizeof(uint32_t); ++i) {
        c[i] = a[i] + b[i];
    }
    noc_async_write(l1_addr + 2 * page_bytes, get_noc_addr(0, z), page_bytes);
    noc_async_write_barrier();
}
