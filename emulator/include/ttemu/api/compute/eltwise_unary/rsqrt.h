// SFPU: one over the square root.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
template <bool tLegacyCompat = false> inline void rsqrt_tile_init(TTEMU_LINE) {
  ttemu_sfpu_init(TTEMU_RSQRT, line);
}
template <bool tLegacyCompat = false, bool tFast = false>
inline void rsqrt_tile(uint32_t dst, TTEMU_LINE) {
  ttemu_sfpu_run({tFast ? TTEMU_RSQRT_APPROX : TTEMU_RSQRT, 1, {dst}, dst, {}, TTEMU_VECTOR_RC},
                 line);
}
} // namespace ckernel
using namespace ckernel;
