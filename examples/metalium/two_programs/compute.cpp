// The sum or, with MULTIPLY, the product of two tiles, `count` times.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"

void kernel_main() {
    const uint32_t count = get_arg_val<uint32_t>(0);
    compute_kernel_hw_startup(0, 1, 16);
#ifdef MULTIPLY
    mul_init(0, 1);
#else
    add_init(0, 1);
#endif
    for (uint32_t tile = 0; tile < count; ++tile) {
        cb_wait_front(0, 1);
        cb_wait_front(1, 1);
        tile_regs_acquire();
#ifdef MULTIPLY
        mul_tiles(0, 1, 0, 0, 0);
#else
        add_tiles(0, 1, 0, 0, 0);
#endif
        tile_regs_commit();
        cb_pop_front(0, 1);
        cb_pop_front(1, 1);
        cb_reserve_back(16, 1);
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        cb_push_back(16, 1);
    }
}
