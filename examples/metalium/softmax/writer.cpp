// Writes the tiles of some rows of tiles.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t addr = get_arg_val<uint32_t>(0), first = get_arg_val<uint32_t>(1),
                   count = get_arg_val<uint32_t>(2);
    const auto y = TensorAccessor(TensorAccessorArgs<0>(), addr, get_tile_size(16));

    for (uint32_t tile = first; tile < first + count; ++tile) {
        cb_wait_front(16, 1);
        noc_async_write(get_read_ptr(16), get_noc_addr(tile, y), get_tile_size(16));
        noc_async_write_barrier();
        cb_pop_front(16, 1);
    }
}
