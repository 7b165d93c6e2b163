// Brings A and B to all cores of a grid: the first core of a row reads A and multicasts it along
// its row, the first of a column does so with B. One step of K at a time.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

// Where one operand comes from: which core of a line sends, and to whom.
struct Line {
    uint32_t cb;
    uint32_t ready;  // semaphore of the sender: receivers that have room
    uint32_t valid;  // semaphore of a receiver: 1 when its tile has arrived
    bool sends;
    uint32_t sender_x, sender_y;
    uint32_t first_x, first_y, last_x, last_y;
    uint32_t receivers;
};

template <typename Tensor>
void bring(const Line& line, const Tensor& tensor, uint32_t tile) {
    auto* ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(line.ready);
    auto* valid = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(line.valid);
    cb_reserve_back(line.cb, 1);
    const uint32_t l1 = get_write_ptr(line.cb);
    if (line.sends) {
        noc_async_read_page(tile, tensor, l1);
        noc_async_read_barrier();
        if (line.receivers > 0) {
            noc_semaphore_wait(ready, line.receivers);
            noc_semaphore_set(ready, 0);
            const uint64_t to =
                get_noc_multicast_addr(line.first_x, line.first_y, line.last_x, line.last_y, l1);
            noc_async_write_multicast(l1, to, get_tile_size(line.cb), line.receivers);
            noc_async_writes_flushed();
            noc_semaphore_set(valid, 1);
            noc_semaphore_set_multicast(
                line.valid,
                get_noc_multicast_addr(line.first_x, line.first_y, line.last_x, line.last_y,
                                       line.valid),
                line.receivers);
        }
    } else {
        noc_semaphore_set(valid, 0);
        noc_semaphore_inc(get_noc_addr(line.sender_x, line.sender_y, line.ready), 1);
        noc_semaphore_wait(valid, 1);
    }
    cb_push_back(line.cb, 1);
}

void kernel_main() {
    const uint32_t a_addr = get_arg_val<uint32_t>(0), b_addr = get_arg_val<uint32_t>(1);
    const uint32_t row = get_arg_val<uint32_t>(2), col = get_arg_val<uint32_t>(3);
    const uint32_t kt = get_common_arg_val<uint32_t>(0), nt = get_common_arg_val<uint32_t>(1);
    const uint32_t x0 = get_common_arg_val<uint32_t>(2), y0 = get_common_arg_val<uint32_t>(3);
    const uint32_t x1 = get_common_arg_val<uint32_t>(4), y1 = get_common_arg_val<uint32_t>(5);
    constexpr auto a_args = TensorAccessorArgs<4>();
    constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
    const auto a = TensorAccessor(a_args, a_addr);
    const auto b = TensorAccessor(b_args, b_addr);

    const uint32_t x = x0 + col, y = y0 + row;
    const Line along_row = {0,
                            get_semaphore(get_compile_time_arg_val(0)),
                            get_semaphore(get_compile_time_arg_val(1)),
                            col == 0,
                            x0,
                            y,
                            x0 + 1,
                            y,
                            x1,
                            y,
                            x1 - x0};
    const Line along_column = {1,
                               get_semaphore(get_compile_time_arg_val(2)),
                               get_semaphore(get_compile_time_arg_val(3)),
                               row == 0,
                               x,
                               y0,
                               x,
                               y0 + 1,
                               x,
                               y1,
                               y1 - y0};
    for (uint32_t k = 0; k < kt; ++k) {
        bring(along_row, a, row * kt + k);
        bring(along_column, b, k * nt + col);
    }
    noc_async_write_barrier();
}
