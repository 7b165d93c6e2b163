// SFPU: a + s b / c.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(addcdiv_tile_init, TTEMU_ADDCDIV)
TTEMU_SFPU_THREE_SCALAR(addcdiv_tile, TTEMU_ADDCDIV)
} // namespace ckernel
using namespace ckernel;
