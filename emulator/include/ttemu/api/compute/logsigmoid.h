// SFPU: log(sigmoid(x)); the second tile, exp(-x), is not needed here.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(logsigmoid_tile_init, TTEMU_LOGSIGMOID)
TTEMU_SFPU_TWO(logsigmoid_tile, TTEMU_LOGSIGMOID)
} // namespace ckernel
using namespace ckernel;
