// Copies a shard, tile by tile.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
    constexpr uint32_t tiles = get_compile_time_arg_val(0);
    compute_kernel_hw_startup(0, 16);
    copy_init(0);
    cb_wait_front(0, tiles);
    cb_reserve_back(16, tiles);
    for (uint32_t tile = 0; tile < tiles; ++tile) {
        tile_regs_acquire();
        copy_tile(0, tile, 0);
        tile_regs_commit();
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
    }
    cb_push_back(16, tiles);
    cb_pop_front(0, tiles);
}
