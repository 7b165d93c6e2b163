// The block of C, tile by tile, in the order in which it is packed.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t c_address = get_arg_val<uint32_t>(0);
    const uint32_t first_row = get_arg_val<uint32_t>(1), first_col = get_arg_val<uint32_t>(2);
    constexpr uint32_t rt = get_compile_time_arg_val(0), ct = get_compile_time_arg_val(1);
    constexpr uint32_t nt = get_compile_time_arg_val(2);
    constexpr uint32_t rows = get_compile_time_arg_val(3), cols = get_compile_time_arg_val(4);
    constexpr auto c_args = TensorAccessorArgs<5>();
    const uint32_t tile_bytes = get_tile_size(16);
    const auto c = TensorAccessor(c_args, c_address, tile_bytes);

    for (uint32_t part = 0; part < rt / rows * (ct / cols); ++part) {
        const uint32_t row = first_row + part / (ct / cols) * rows,
                       col = first_col + part % (ct / cols) * cols;
        cb_wait_front(16, rows * cols);
        uint32_t from = get_read_ptr(16);
        for (uint32_t i = 0; i < rows * cols; ++i, from += tile_bytes) {
            noc_async_write(from, c.get_noc_addr((row + i / cols) * nt + col + i % cols),
                            tile_bytes);
        }
        noc_async_write_barrier();
        cb_pop_front(16, rows * cols);
    }
}
