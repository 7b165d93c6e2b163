// SFPU: elu.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(elu_tile_init, TTEMU_ELU)
TTEMU_SFPU_SCALAR(elu_tile, TTEMU_ELU)
} // namespace ckernel
using namespace ckernel;
