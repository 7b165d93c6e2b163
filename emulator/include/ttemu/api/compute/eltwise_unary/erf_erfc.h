// SFPU: the error function.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_APPROX_INIT(erf_tile_init, TTEMU_ERF, true)
TTEMU_SFPU_APPROX(erf_tile, TTEMU_ERF, TTEMU_ERF, true)
TTEMU_SFPU_APPROX_INIT(erfc_tile_init, TTEMU_ERFC, true)
TTEMU_SFPU_APPROX(erfc_tile, TTEMU_ERFC, TTEMU_ERFC, true)
} // namespace ckernel
using namespace ckernel;
