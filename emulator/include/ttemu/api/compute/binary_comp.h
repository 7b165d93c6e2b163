// SFPU: comparisons of two tiles.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(lt_int32_tile_init, TTEMU_LT_INT)
TTEMU_SFPU_TWO(lt_int32_tile, TTEMU_LT_INT)
TTEMU_SFPU_INIT(gt_int32_tile_init, TTEMU_GT_INT)
TTEMU_SFPU_TWO(gt_int32_tile, TTEMU_GT_INT)
TTEMU_SFPU_INIT(ge_int32_tile_init, TTEMU_GE_INT)
TTEMU_SFPU_TWO(ge_int32_tile, TTEMU_GE_INT)
TTEMU_SFPU_INIT(le_int32_tile_init, TTEMU_LE_INT)
TTEMU_SFPU_TWO(le_int32_tile, TTEMU_LE_INT)
} // namespace ckernel
using namespace ckernel;
