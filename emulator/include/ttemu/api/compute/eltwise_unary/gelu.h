// SFPU: gelu, by a polynomial, or by straight lines.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_APPROX_INIT(gelu_tile_init, TTEMU_GELU, true)
TTEMU_SFPU_APPROX(gelu_tile, TTEMU_GELU, TTEMU_GELU_APPROX, true)
#if TTEMU_API >= 202608
TTEMU_SFPU_INIT(gelu_tanh_tile_init, TTEMU_GELU_TANH)
TTEMU_SFPU_ONE(gelu_tanh_tile, TTEMU_GELU_TANH)
TTEMU_SFPU_APPROX_INIT(gelu_derivative_tile_init, TTEMU_GELU_DERIVATIVE, true)
TTEMU_SFPU_APPROX(gelu_derivative_tile, TTEMU_GELU_DERIVATIVE, TTEMU_GELU_DERIVATIVE, true)
#endif
#if TTEMU_API >= 202608
// From the packer's processor.
TTEMU_SFPU_INIT(gelu_tile_init_pack, TTEMU_GELU_APPROX)
TTEMU_SFPU_ONE_PACK(gelu_tile_pack, TTEMU_GELU_APPROX)
TTEMU_SFPU_INIT(gelu_tanh_tile_init_pack, TTEMU_GELU_TANH)
TTEMU_SFPU_ONE_PACK(gelu_tanh_tile_pack, TTEMU_GELU_TANH)
#endif
} // namespace ckernel
using namespace ckernel;
