// C = A B for a block of rt x ct tiles. Between steps of K the sums wait in circular buffer 24,
// a part of rows x cols tiles at a time, as many as DST holds.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
    constexpr uint32_t rt = get_compile_time_arg_val(0), ct = get_compile_time_arg_val(1);
    constexpr uint32_t kb = get_compile_time_arg_val(2), steps = get_compile_time_arg_val(3);
    constexpr uint32_t rows = get_compile_time_arg_val(4), cols = get_compile_time_arg_val(5),
                       part = rows * cols;
    compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 24);
    matmul_block_init(0, 1, 0, cols, rows, kb);

    for (uint32_t step = 0; step < steps; ++step) {
        const bool last = step == steps - 1;
        cb_wait_front(0, rt * kb);
        cb_wait_front(1, kb * ct);
        for (uint32_t p = 0; p < rt * ct / part; ++p) {
            const uint32_t row = p / (ct / cols) * rows, col = p % (ct / cols) * cols;
            tile_regs_acquire();
            if (step > 0) {
                copy_init(24);
                cb_wait_front(24, part);
                for (uint32_t i = 0; i < part; ++i) {
                    copy_tile(24, i, i);
                }
                cb_pop_front(24, part);
                matmul_block_init(0, 1, 0, cols, rows, kb);
            }
            for (uint32_t k = 0; k < kb; ++k) {
                matmul_block(0, 1, row * kb + k, k * ct + col, 0, 0, cols, rows, kb);
            }
            tile_regs_commit();
            const uint32_t out = last ? 16 : 24;
            cb_reserve_back(out, part);
            tile_regs_wait();
            for (uint32_t i = 0; i < part; ++i) {
                pack_tile(i, out);
            }
            tile_regs_release();
            cb_push_back(out, part);
        }
        cb_pop_front(0, rt * kb);
        cb_pop_front(1, kb * ct);
    }
}
