// SFPU: xielu.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(xielu_tile_init, TTEMU_XIELU)
TTEMU_SFPU_SCALARS2(xielu_tile, TTEMU_XIELU)
} // namespace ckernel
using namespace ckernel;
