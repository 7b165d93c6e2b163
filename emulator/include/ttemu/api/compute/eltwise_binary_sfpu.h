// SFPU: arithmetic of two tiles of DST.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(add_binary_tile_init, TTEMU_ADD_DST)
TTEMU_SFPU_TWO(add_binary_tile, TTEMU_ADD_DST)
TTEMU_SFPU_INIT(sub_binary_tile_init, TTEMU_SUB_DST)
TTEMU_SFPU_TWO(sub_binary_tile, TTEMU_SUB_DST)
TTEMU_SFPU_INIT(mul_binary_tile_init, TTEMU_MUL_DST)
TTEMU_SFPU_TWO(mul_binary_tile, TTEMU_MUL_DST)
TTEMU_SFPU_INIT(div_binary_tile_init, TTEMU_DIV_DST)
TTEMU_SFPU_TWO(div_binary_tile, TTEMU_DIV_DST)
TTEMU_SFPU_INIT(rsub_binary_tile_init, TTEMU_RSUB_DST)
TTEMU_SFPU_TWO(rsub_binary_tile, TTEMU_RSUB_DST)
TTEMU_SFPU_INIT(power_binary_tile_init, TTEMU_POWER_DST)
TTEMU_SFPU_TWO(power_binary_tile, TTEMU_POWER_DST)
TTEMU_SFPU_INIT(eq_binary_tile_init, TTEMU_EQ_DST)
TTEMU_SFPU_TWO(eq_binary_tile, TTEMU_EQ_DST)
#if TTEMU_API >= 202608
TTEMU_SFPU_INIT(ne_binary_tile_init, TTEMU_NE_DST)
TTEMU_SFPU_TWO(ne_binary_tile, TTEMU_NE_DST)
TTEMU_SFPU_INIT(lt_binary_tile_init, TTEMU_LT_DST)
TTEMU_SFPU_TWO(lt_binary_tile, TTEMU_LT_DST)
TTEMU_SFPU_INIT(gt_binary_tile_init, TTEMU_GT_DST)
TTEMU_SFPU_TWO(gt_binary_tile, TTEMU_GT_DST)
TTEMU_SFPU_INIT(le_binary_tile_init, TTEMU_LE_DST)
TTEMU_SFPU_TWO(le_binary_tile, TTEMU_LE_DST)
TTEMU_SFPU_INIT(ge_binary_tile_init, TTEMU_GE_DST)
TTEMU_SFPU_TWO(ge_binary_tile, TTEMU_GE_DST)
#endif
} // namespace ckernel
using namespace ckernel;
