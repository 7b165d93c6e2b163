// Blocks of A and B for each step of K. The first core of a row reads a block of A and multicasts
// it along its row, the first of a column does so with B: each block leaves DRAM once.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

// Where one operand comes from: which core of a line sends, and to whom.
struct Line {
    uint32_t cb;
    uint32_t ready,
        valid;  // semaphores: receivers with room, at the sender; the block is there, at a receiver
    bool sends;
    uint32_t sender_x, sender_y;
    uint32_t first_x, first_y, last_x, last_y;
    uint32_t receivers;
};

// A block of rows x cols tiles from row `row`, column `col` of a tensor that is `width` tiles wide.
template <typename Tensor>
void bring(const Line& line, const Tensor& tensor, uint32_t rows, uint32_t cols, uint32_t row,
           uint32_t col, uint32_t width) {
    auto* ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(line.ready);
    auto* valid = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(line.valid);
    const uint32_t tile_bytes = get_tile_size(line.cb), tiles = rows * cols;
    cb_reserve_back(line.cb, tiles);
    const uint32_t l1 = get_write_ptr(line.cb);
    if (line.sends) {
        for (uint32_t i = 0; i < tiles; ++i) {
            noc_async_read(tensor.get_noc_addr((row + i / cols) * width + col + i % cols),
                           l1 + i * tile_bytes, tile_bytes);
        }
        noc_async_read_barrier();
        if (line.receivers > 0) {
            noc_semaphore_wait(ready, line.receivers);
            noc_semaphore_set(ready, 0);
            const uint64_t to =
                get_noc_multicast_addr(line.first_x, line.first_y, line.last_x, line.last_y, l1);
            noc_async_write_multicast(l1, to, tiles * tile_bytes, line.receivers);
            noc_async_writes_flushed();
            noc_semaphore_set(valid, 1);
            const uint64_t flags = get_noc_multicast_addr(line.first_x, line.first_y, line.last_x,
                                                          line.last_y, line.valid);
            noc_semaphore_set_multicast(line.valid, flags, line.receivers);
        }
    } else {
        noc_semaphore_set(valid, 0);
        noc_semaphore_inc(get_noc_addr(line.sender_x, line.sender_y, line.ready), 1);
        noc_semaphore_wait(valid, 1);
    }
    cb_push_back(line.cb, tiles);
}

void kernel_main() {
    const uint32_t a_address = get_arg_val<uint32_t>(0), b_address = get_arg_val<uint32_t>(1);
    const uint32_t first_row = get_arg_val<uint32_t>(2), first_col = get_arg_val<uint32_t>(3);
    const uint32_t x0 = get_common_arg_val<uint32_t>(0), y0 = get_common_arg_val<uint32_t>(1);
    const uint32_t x1 = get_common_arg_val<uint32_t>(2), y1 = get_common_arg_val<uint32_t>(3);
    constexpr uint32_t rt = get_compile_time_arg_val(0), ct = get_compile_time_arg_val(1);
    constexpr uint32_t kb = get_compile_time_arg_val(2), kt = get_compile_time_arg_val(3);
    constexpr uint32_t nt = get_compile_time_arg_val(4);
    constexpr auto a_args = TensorAccessorArgs<5>();
    constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
    const auto a = TensorAccessor(a_args, a_address);
    const auto b = TensorAccessor(b_args, b_address);

    const uint32_t col = first_col / ct, row = first_row / rt, x = x0 + col, y = y0 + row;
    const Line along_row = {0, get_semaphore(0), get_semaphore(1), col == 0, x0, y, x0 + 1, y, x1,
                            y, x1 - x0};
    const Line along_column = {
        1, get_semaphore(2), get_semaphore(3), row == 0, x, y0, x, y0 + 1, x, y1, y1 - y0};
    for (uint32_t k = 0; k < kt; k += kb) {
        bring(along_row, a, rt, kb, first_row, k, kt);
        bring(along_column, b, kb, ct, k, first_col, nt);
    }
    noc_async_write_barrier();
    noc_async_atomic_barrier();
}
