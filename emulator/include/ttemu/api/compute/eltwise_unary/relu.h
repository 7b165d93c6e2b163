// SFPU: relu and its relatives.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(relu_tile_init, TTEMU_RELU)
TTEMU_SFPU_ONE(relu_tile, TTEMU_RELU)
TTEMU_SFPU_ONE(relu_tile_int32, TTEMU_RELU_INT)
TTEMU_SFPU_INIT(relu_max_tile_init, TTEMU_RELU_MAX)
TTEMU_SFPU_SCALAR(relu_max_tile, TTEMU_RELU_MAX)
TTEMU_SFPU_SCALAR(relu_max_tile_int32, TTEMU_RELU_MAX_INT)
TTEMU_SFPU_INIT(relu_min_tile_init, TTEMU_RELU_MIN)
TTEMU_SFPU_SCALAR(relu_min_tile, TTEMU_RELU_MIN)
TTEMU_SFPU_SCALAR(relu_min_tile_int32, TTEMU_RELU_MIN_INT)
TTEMU_SFPU_INIT(leaky_relu_tile_init, TTEMU_LEAKY_RELU)
TTEMU_SFPU_SCALAR(leaky_relu_tile, TTEMU_LEAKY_RELU)
#if TTEMU_API >= 202608
TTEMU_SFPU_SCALAR(relu_max_tile_uint16, TTEMU_RELU_MAX_INT)
TTEMU_SFPU_SCALAR(relu_max_tile_uint32, TTEMU_RELU_MAX_INT)
TTEMU_SFPU_SCALAR(relu_min_tile_uint16, TTEMU_RELU_MIN_INT)
TTEMU_SFPU_SCALAR(relu_min_tile_uint32, TTEMU_RELU_MIN_INT)
#endif
#if TTEMU_API >= 202608
// From the packer's processor.
TTEMU_SFPU_INIT(relu_max_tile_init_pack, TTEMU_RELU_MAX)
inline void relu_max_tile_pack(uint32_t dst, uint32_t scalar, TTEMU_LINE) {
  ttemu_sfpu_run(ttemu::by_pack(TTEMU_RELU_MAX, dst, scalar, TTEMU_VECTOR_RC), line);
}
#endif
} // namespace ckernel
using namespace ckernel;
