// Blocks of A, multicast along a row of cores: each core its own in its turn, or the first core
// those that it reads.
#include "matmul_mcast.hpp"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0), x = get_arg_val<uint32_t>(1),
                   y = get_arg_val<uint32_t>(2);
    constexpr uint32_t rt = get_compile_time_arg_val(0), kb = get_compile_time_arg_val(2),
                       steps = get_compile_time_arg_val(3), nt = get_compile_time_arg_val(4),
                       parts = get_compile_time_arg_val(5), side = get_compile_time_arg_val(8);
    constexpr bool sharded = get_compile_time_arg_val(11) != 0;
    constexpr auto args = TensorAccessorArgs<13>();
    const auto a = TensorAccessor(args, address, get_tile_size(0));
    const Line row = {true,
                      get_compile_time_arg_val(6),
                      get_compile_time_arg_val(7),
                      x,
                      y,
                      side,
                      get_semaphore(0),
                      get_semaphore(1)};
    const uint32_t bytes = get_tile_size(0), tiles = rt * kb;
    for (uint32_t part = 0; part < parts * parts; ++part) {
        const uint32_t first = (y * parts + part / parts) * rt;
        for (uint32_t k = 0; k < steps; ++k) {
            const uint32_t sender = sharded ? k : 0;
            cb_reserve_back(0, tiles);
            const uint32_t l1 = get_write_ptr(0);
            if (x != sender) {
                row.receive(sender);
            } else if (sharded) {
                row.wait_for_room();
                noc_async_write_multicast_loopback_src(get_read_ptr(2), row.of_all(0, side - 1, l1),
                                                       tiles * bytes, side);
                row.raise(row.of_all(0, side - 1, row.valid));
                noc_async_write_barrier();
            } else {
                for (uint32_t i = 0; i < tiles; ++i) {
                    noc_async_read(a.get_noc_addr((first + i / kb) * nt + k * kb + i % kb),
                                   l1 + i * bytes, bytes);
                }
                noc_async_read_barrier();
                row.wait_for_room();
                noc_async_write_multicast(l1, row.of_all(1, side - 1, l1), tiles * bytes, side - 1);
                row.raise(row.of_all(1, side - 1, row.valid));
            }
            cb_push_back(0, tiles);
        }
    }
    noc_async_write_barrier();
    noc_async_atomic_barrier();
}
