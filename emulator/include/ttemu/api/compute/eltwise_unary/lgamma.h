// The logarithm of the gamma function.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(lgamma_stirling_tile, "lgamma is not emulated")
TTEMU_NOT_EMULATED(lgamma_stirling_tile_init, "lgamma is not emulated")
TTEMU_NOT_EMULATED(lgamma_adjusted_tile, "lgamma is not emulated")
TTEMU_NOT_EMULATED(lgamma_adjusted_tile_init, "lgamma is not emulated")
} // namespace ckernel
using namespace ckernel;
