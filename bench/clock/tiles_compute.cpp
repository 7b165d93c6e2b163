// Sections of DST, with the calls that the host names in each.
#include <cstdint>

#define REDUCE_OP PoolType::SUM
#define REDUCE_DIM ReduceDim::REDUCE_ROW
#include "api/compute/bcast.h"
#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/add_int_sfpu.h"
#include "api/compute/binary_bitwise_sfpu.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/eltwise_unary/activations.h"
#include "api/compute/eltwise_unary/binop_with_scalar.h"
#include "api/compute/eltwise_unary/bitwise_not.h"
#include "api/compute/eltwise_unary/erfinv.h"
#include "api/compute/eltwise_unary/fill.h"
#include "api/compute/eltwise_unary/i0.h"
#include "api/compute/eltwise_unary/identity.h"
#include "api/compute/eltwise_unary/addcmul.h"
#include "api/compute/eltwise_unary/relu.h"
#include "api/compute/eltwise_unary/rounding.h"
#include "api/compute/eltwise_unary/trigonometry.h"
#include "api/compute/sub_int_sfpu.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/gelu.h"
#include "api/compute/eltwise_unary/recip.h"
#include "api/compute/eltwise_unary/rsqrt.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/tilize.h"

void kernel_main() {
    const uint32_t sections = get_arg_val<uint32_t>(0);
    constexpr uint32_t calls = get_compile_time_arg_val(0), packs = get_compile_time_arg_val(1);
    constexpr bool adds = get_compile_time_arg_val(2) != 0;  // the packer, in place
    cb_wait_front(0, 8);
    cb_wait_front(1, 8);
    TILE_INIT;
    if (adds) {
        cb_reserve_back(16, packs);
    }
    for (uint32_t s = 0; s < sections; ++s) {
        if (calls == 0) {  // it has sections of its own
            const uint32_t i = 0;
            (void)i;
            cb_reserve_back(16, packs);
            TILE_BODY;
            cb_push_back(16, packs);
            continue;
        }
        tile_regs_acquire();
        for (uint32_t i = 0; i < calls; ++i) {
            TILE_BODY;
        }
        tile_regs_commit();
        constexpr bool pushes = packs > 0 && !adds;
        if (pushes) {
            cb_reserve_back(16, packs);
        }
        tile_regs_wait();
        for (uint32_t i = 0; i < packs; ++i) {
            TILE_PACK;
        }
        tile_regs_release();
        if (pushes) {
            cb_push_back(16, packs);
        }
    }
    if (adds) {
        pack_reconfig_l1_acc(0);
        cb_push_back(16, packs);
    }
    cb_pop_front(0, 8);
    cb_pop_front(1, 8);
}
