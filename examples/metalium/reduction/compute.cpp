// The sum of each row, over `width` tiles, in column 0 of a tile.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#define REDUCE_OP PoolType::SUM  // defaults that reduce.h wants to be there
#define REDUCE_DIM ReduceDim::REDUCE_ROW
#include "api/compute/reduce.h"

void kernel_main() {
    const uint32_t rows = get_arg_val<uint32_t>(0), width = get_arg_val<uint32_t>(1);
    compute_kernel_hw_startup(0, 1, 16);
    reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 16);
    cb_wait_front(1, 1);
    for (uint32_t row = 0; row < rows; ++row) {
        tile_regs_acquire();
        for (uint32_t tile = 0; tile < width; ++tile) {
            cb_wait_front(0, 1);
            reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0);
            cb_pop_front(0, 1);
        }
        tile_regs_commit();
        cb_reserve_back(16, 1);
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        cb_push_back(16, 1);
    }
    reduce_uninit();
    cb_pop_front(1, 1);
}
