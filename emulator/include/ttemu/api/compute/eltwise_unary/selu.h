// SFPU: selu.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(selu_tile_init, TTEMU_SELU)
TTEMU_SFPU_SCALARS2(selu_tile, TTEMU_SELU)
} // namespace ckernel
using namespace ckernel;
