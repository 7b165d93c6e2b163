// Rows of `width` tiles, and before them a tile of ones, by which sums are scaled.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t rows = get_arg_val<uint32_t>(1), width = get_arg_val<uint32_t>(2);
    constexpr auto args = TensorAccessorArgs<0>();
    const auto a = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(0));

    cb_reserve_back(1, 1);
    auto ones = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(1));
    for (uint32_t i = 0; i < 512; ++i) {
        ones[i] = 0x3F803F80;
    }
    cb_push_back(1, 1);
    for (uint32_t tile = 0; tile < rows * width; ++tile) {
        cb_reserve_back(0, 1);
        noc_async_read_page(tile, a, get_write_ptr(0));
        noc_async_read_barrier();
        cb_push_back(0, 1);
    }
}
