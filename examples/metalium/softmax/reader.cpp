// Reads the tiles of some rows of tiles, after a tile of ones for the sums.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t addr = get_arg_val<uint32_t>(0), first = get_arg_val<uint32_t>(1),
                   count = get_arg_val<uint32_t>(2);
    const auto x = TensorAccessor(TensorAccessorArgs<0>(), addr, get_tile_size(0));

    cb_reserve_back(1, 1);
    auto* ones = reinterpret_cast<volatile tt_l1_ptr uint16_t*>(get_write_ptr(1));
    for (uint32_t i = 0; i < 1024; ++i) {
        ones[i] = i % 256 < 16 ? 0x3f80 : 0;  // 1.0 in row 0 of every face
    }
    cb_push_back(1, 1);

    for (uint32_t tile = first; tile < first + count; ++tile) {
        cb_reserve_back(0, 1);
        noc_async_read(get_noc_addr(tile, x), get_write_ptr(0), get_tile_size(0));
        noc_async_read_barrier();
        cb_push_back(0, 1);
    }
}
