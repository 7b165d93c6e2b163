// SFPU: the larger or smaller of two tiles of DST.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(binary_max_tile_init, TTEMU_MAX_DST)
TTEMU_SFPU_TWO_MODE(binary_max_tile, TTEMU_MAX_DST)
TTEMU_SFPU_INIT(binary_max_uint32_tile_init, TTEMU_MAX_UINT)
TTEMU_SFPU_TWO(binary_max_uint32_tile, TTEMU_MAX_UINT)
TTEMU_SFPU_INIT(binary_min_tile_init, TTEMU_MIN_DST)
TTEMU_SFPU_TWO_MODE(binary_min_tile, TTEMU_MIN_DST)
TTEMU_SFPU_INIT(binary_min_uint32_tile_init, TTEMU_MIN_UINT)
TTEMU_SFPU_TWO(binary_min_uint32_tile, TTEMU_MIN_UINT)
#if TTEMU_API < 202603 // one init for both
TTEMU_SFPU_TWO(binary_max_int32_tile, TTEMU_MAX_INT_2025)
TTEMU_SFPU_TWO(binary_min_int32_tile, TTEMU_MIN_INT_2025)
#else
TTEMU_SFPU_INIT(binary_max_int32_tile_init, TTEMU_MAX_INT)
TTEMU_SFPU_TWO(binary_max_int32_tile, TTEMU_MAX_INT)
TTEMU_SFPU_INIT(binary_min_int32_tile_init, TTEMU_MIN_INT)
TTEMU_SFPU_TWO(binary_min_int32_tile, TTEMU_MIN_INT)
#endif
} // namespace ckernel
using namespace ckernel;
