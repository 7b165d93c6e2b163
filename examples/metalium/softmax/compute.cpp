// Softmax of each row of a row of tiles: exp(x) / sum(exp(x)). For inputs whose exponentials fit; a
// kernel for any input subtracts the largest element of the row first.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/bcast.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/recip.h"
#define REDUCE_OP PoolType::SUM  // defaults that reduce.h wants to be there
#define REDUCE_DIM ReduceDim::REDUCE_ROW
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"

constexpr uint32_t in = 0, ones = 1, out = 16, powers = 24, factor = 25;

// Packs DST tile 0 to the next page of a circular buffer.
void pack_to(uint32_t cb) {
    tile_regs_commit();
    cb_reserve_back(cb, 1);
    tile_regs_wait();
    pack_tile(0, cb);
    tile_regs_release();
    cb_push_back(cb, 1);
}

void kernel_main() {
    const uint32_t nt = get_common_arg_val<uint32_t>(0), rows = get_arg_val<uint32_t>(0);
    compute_kernel_hw_startup(in, ones, out);
    cb_wait_front(ones, 1);
    for (uint32_t row = 0; row < rows; ++row) {
        copy_init(in);
        exp_tile_init();
        for (uint32_t t = 0; t < nt; ++t) {
            cb_wait_front(in, 1);
            tile_regs_acquire();
            copy_tile(in, 0, 0);
            exp_tile(0);
            pack_to(powers);
            cb_pop_front(in, 1);
        }
        cb_wait_front(powers, nt);

        reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(powers, ones, factor);
        tile_regs_acquire();
        for (uint32_t t = 0; t < nt; ++t) {
            reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(powers, ones, t, 0, 0);
        }
        recip_tile_init();
        recip_tile(0);
        pack_to(factor);
        reduce_uninit();

        mul_bcast_cols_init(powers, factor);
        cb_wait_front(factor, 1);
        for (uint32_t t = 0; t < nt; ++t) {
            tile_regs_acquire();
            mul_tiles_bcast_cols(powers, factor, t, 0, 0);
            pack_to(out);
        }
        cb_pop_front(factor, 1);
        cb_pop_front(powers, nt);
    }
    cb_pop_front(ones, 1);
}
