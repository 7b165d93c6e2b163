// SFPU: prelu.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(prelu_tile_init, TTEMU_PRELU)
TTEMU_SFPU_SCALAR(prelu_tile, TTEMU_PRELU)
} // namespace ckernel
using namespace ckernel;
