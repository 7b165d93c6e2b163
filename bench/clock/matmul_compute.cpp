// A block of C: the packer adds the sums of all steps of K but the last in circular buffer 24, from
// where the last step takes them.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
    constexpr uint32_t rt = get_compile_time_arg_val(0), ct = get_compile_time_arg_val(1),
                       kb = get_compile_time_arg_val(2), steps = get_compile_time_arg_val(3),
                       parts = get_compile_time_arg_val(5), rows = get_compile_time_arg_val(9),
                       cols = get_compile_time_arg_val(10), sub = rows * cols;
    constexpr bool converts = get_compile_time_arg_val(12) != 0;  // the sums have another format
    compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 24);
    matmul_block_init(0, 1, 0, cols, rows, kb);
    for (uint32_t step = 0; step < parts * parts * steps; ++step) {
        const uint32_t k = step % steps;
        const bool last = k == steps - 1;
        if (converts && (last || (k == 0 && step > 0))) {
            pack_reconfig_l1_acc(0);
            pack_reconfig_data_format(last ? 16 : 24);
        }
        pack_reconfig_l1_acc(k > 0 && !last);
        cb_wait_front(0, rt * kb);
        cb_wait_front(1, kb * ct);
        for (uint32_t p = 0; p < rt * ct / sub; ++p) {
            const uint32_t row = p / (ct / cols) * rows, col = p % (ct / cols) * cols;
            tile_regs_acquire();
            if (last) {
                if (converts) {
                    reconfig_data_format_srca(24);
                }
                copy_init(24);
                cb_wait_front(24, sub);
                for (uint32_t i = 0; i < sub; ++i) {
                    copy_tile(24, i, i);
                }
                cb_pop_front(24, sub);
                if (converts) {
                    reconfig_data_format_srca(1);
                }
                matmul_block_init(0, 1, 0, cols, rows, kb);
            }
            for (uint32_t i = 0; i < kb; ++i) {
                matmul_block(0, 1, row * kb + i, i * ct + col, 0, 0, cols, rows, kb);
            }
            tile_regs_commit();
            const uint32_t out = last ? 16 : 24;
            cb_reserve_back(out, sub);
            tile_regs_wait();
            for (uint32_t i = 0; i < sub; ++i) {
                pack_tile(i, out);
            }
            tile_regs_release();
            cb_push_back(out, sub);
        }
        if (k + 2 < steps) {  // the packer adds to these pages again
            cb_wait_front(24, rt * ct);
            cb_pop_front(24, rt * ct);
        }
        cb_pop_front(0, rt * kb);
        cb_pop_front(1, kb * ct);
    }
}
