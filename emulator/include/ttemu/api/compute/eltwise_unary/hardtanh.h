// SFPU: hardtanh.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(hardtanh_tile_init, TTEMU_HARDTANH)
TTEMU_SFPU_SCALARS2(hardtanh_tile, TTEMU_HARDTANH)
} // namespace ckernel
using namespace ckernel;
