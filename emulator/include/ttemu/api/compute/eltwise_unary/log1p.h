// SFPU: log(1 + x).
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_APPROX_INIT(log1p_tile_init, TTEMU_LOG1P, false)
TTEMU_SFPU_APPROX(log1p_tile, TTEMU_LOG1P, TTEMU_LOG1P, false)
} // namespace ckernel
using namespace ckernel;
