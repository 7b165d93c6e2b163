// Blocks of B, which the first core of a column reads and multicasts down; and the blocks of C,
// where they leave L1.
#include "matmul_mcast.hpp"

void kernel_main() {
    const uint32_t b_address = get_arg_val<uint32_t>(0), c_address = get_arg_val<uint32_t>(1),
                   x = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(3);
    constexpr uint32_t rt = get_compile_time_arg_val(0), ct = get_compile_time_arg_val(1),
                       kb = get_compile_time_arg_val(2), steps = get_compile_time_arg_val(3),
                       nt = get_compile_time_arg_val(4), parts = get_compile_time_arg_val(5),
                       side = get_compile_time_arg_val(8), rows = get_compile_time_arg_val(9),
                       cols = get_compile_time_arg_val(10);
    constexpr bool sharded = get_compile_time_arg_val(11) != 0;
    constexpr auto b_args = TensorAccessorArgs<13>();
    constexpr auto c_args = TensorAccessorArgs<b_args.next_compile_time_args_offset()>();
    const uint32_t bytes = get_tile_size(1), tiles = kb * ct;
    const auto b = TensorAccessor(b_args, b_address, bytes);
    const auto c = TensorAccessor(c_args, c_address, bytes);
    const Line column = {false,
                         get_compile_time_arg_val(6),
                         get_compile_time_arg_val(7),
                         x,
                         y,
                         side,
                         get_semaphore(2),
                         get_semaphore(3)};
    for (uint32_t part = 0; part < parts * parts; ++part) {
        const uint32_t top = (y * parts + part / parts) * rt,
                       left = (x * parts + part % parts) * ct;
        for (uint32_t k = 0; k < steps; ++k) {
            cb_reserve_back(1, tiles);
            const uint32_t l1 = get_write_ptr(1);
            if (y != 0) {
                column.receive(0);
            } else {
                for (uint32_t i = 0; i < tiles; ++i) {
                    noc_async_read(b.get_noc_addr((k * kb + i / ct) * nt + left + i % ct),
                                   l1 + i * bytes, bytes);
                }
                noc_async_read_barrier();
                column.wait_for_room();
                noc_async_write_multicast(l1, column.of_all(1, side - 1, l1), tiles * bytes,
                                          side - 1);
                column.raise(column.of_all(1, side - 1, column.valid));
            }
            cb_push_back(1, tiles);
        }
        for (uint32_t sub = 0; sub < rt * ct / (rows * cols); ++sub) {
            const uint32_t row = top + sub / (ct / cols) * rows,
                           col = left + sub % (ct / cols) * cols;
            cb_wait_front(16, rows * cols);
            for (uint32_t i = 0; !sharded && i < rows * cols; ++i) {
                noc_async_write(get_read_ptr(16) + i * bytes,
                                c.get_noc_addr((row + i / cols) * nt + col + i % cols), bytes);
            }
            noc_async_writes_flushed();
            cb_pop_front(16, rows * cols);
        }
    }
    noc_async_write_barrier();
    noc_async_atomic_barrier();
}
