// SFPU: activations.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(hardsigmoid_tile_init, TTEMU_HARDSIGMOID)
TTEMU_SFPU_ONE(hardsigmoid_tile, TTEMU_HARDSIGMOID)
TTEMU_SFPU_INIT(softsign_tile_init, TTEMU_SOFTSIGN)
TTEMU_SFPU_ONE(softsign_tile, TTEMU_SOFTSIGN)
TTEMU_SFPU_INIT(celu_tile_init, TTEMU_CELU)
TTEMU_SFPU_SCALARS2(celu_tile, TTEMU_CELU)
TTEMU_SFPU_INIT(softshrink_tile_init, TTEMU_SOFTSHRINK)
TTEMU_SFPU_SCALAR(softshrink_tile, TTEMU_SOFTSHRINK)
} // namespace ckernel
using namespace ckernel;
