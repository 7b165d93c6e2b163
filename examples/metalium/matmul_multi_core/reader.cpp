// For each of `count` tiles of C: a row of tiles of A, and a column of B.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t a_address = get_arg_val<uint32_t>(0), b_address = get_arg_val<uint32_t>(1);
    const uint32_t first = get_arg_val<uint32_t>(2), count = get_arg_val<uint32_t>(3);
    constexpr uint32_t nt = get_compile_time_arg_val(0), kt = get_compile_time_arg_val(1);
    constexpr auto a_args = TensorAccessorArgs<2>();
    constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
    const auto a = TensorAccessor(a_args, a_address, get_tile_size(0));
    const auto b = TensorAccessor(b_args, b_address, get_tile_size(1));

    for (uint32_t tile = first; tile < first + count; ++tile) {
        for (uint32_t k = 0; k < kt; ++k) {
            cb_reserve_back(0, 1);
            cb_reserve_back(1, 1);
            noc_async_read_page(tile / nt * kt + k, a, get_write_ptr(0));
            noc_async_read_page(k * nt + tile % nt, b, get_write_ptr(1));
            noc_async_read_barrier();
            cb_push_back(0, 1);
            cb_push_back(1, 1);
        }
    }
}
