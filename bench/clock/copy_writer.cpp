// Tiles to DRAM, a batch at a time.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0), first = get_arg_val<uint32_t>(1),
                   count = get_arg_val<uint32_t>(2);
    constexpr uint32_t batch = get_compile_time_arg_val(0);
    constexpr auto args = TensorAccessorArgs<1>();
    const uint32_t bytes = get_tile_size(0);
    const auto to = TensorAccessor(args, address, bytes);
    for (uint32_t t = 0; t < count; t += batch) {
        cb_wait_front(0, batch);
        const uint32_t l1 = get_read_ptr(0);
        for (uint32_t i = 0; i < batch; ++i) {
            noc_async_write(l1 + i * bytes, to.get_noc_addr(first + t + i), bytes);
        }
        noc_async_writes_flushed();
        cb_pop_front(0, batch);
    }
    noc_async_write_barrier();
}
