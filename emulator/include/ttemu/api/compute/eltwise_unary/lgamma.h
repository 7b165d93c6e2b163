// The logarithm of the gamma function, in two steps: of x or, below 1/2, of 1 - x; then what the
// reflection adds, of that, log |sin(pi x)| and x.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(lgamma_stirling_tile_init, TTEMU_LGAMMA_STIRLING)
TTEMU_SFPU_ONE(lgamma_stirling_tile, TTEMU_LGAMMA_STIRLING)
TTEMU_SFPU_INIT(lgamma_adjusted_tile_init, TTEMU_LGAMMA_ADJUSTED)
inline void lgamma_adjusted_tile(uint32_t stirling, uint32_t log_sine, uint32_t x, uint32_t out,
                                 TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_LGAMMA_ADJUSTED, 3, {stirling, log_sine, x}, out, {}, TTEMU_VECTOR_RC},
                 line);
}
} // namespace ckernel
using namespace ckernel;
