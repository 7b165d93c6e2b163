// Blocks of A and B for each step of K: rt x kb tiles of A, kb x ct tiles of B.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t a_address = get_arg_val<uint32_t>(0), b_address = get_arg_val<uint32_t>(1);
    const uint32_t first_row = get_arg_val<uint32_t>(2), first_col = get_arg_val<uint32_t>(3);
    constexpr uint32_t rt = get_compile_time_arg_val(0), ct = get_compile_time_arg_val(1);
    constexpr uint32_t kb = get_compile_time_arg_val(2), kt = get_compile_time_arg_val(3);
    constexpr uint32_t nt = get_compile_time_arg_val(4);
    constexpr auto a_args = TensorAccessorArgs<5>();
    constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
    const uint32_t tile_bytes = get_tile_size(0);
    const auto a = TensorAccessor(a_args, a_address, tile_bytes);
    const auto b = TensorAccessor(b_args, b_address, tile_bytes);

    for (uint32_t k = 0; k < kt; k += kb) {
        cb_reserve_back(0, rt * kb);
        cb_reserve_back(1, kb * ct);
        uint32_t to = get_write_ptr(0);
        for (uint32_t r = 0; r < rt; ++r) {
            for (uint32_t i = 0; i < kb; ++i, to += tile_bytes) {
                noc_async_read(a.get_noc_addr((first_row + r) * kt + k + i), to, tile_bytes);
            }
        }
        to = get_write_ptr(1);
        for (uint32_t i = 0; i < kb; ++i) {
            for (uint32_t c = 0; c < ct; ++c, to += tile_bytes) {
                noc_async_read(b.get_noc_addr((k + i) * nt + first_col + c), to, tile_bytes);
            }
        }
        noc_async_read_barrier();
        cb_push_back(0, rt * kb);
        cb_push_back(1, kb * ct);
    }
}
