// SFPU: the reciprocal; unless told otherwise, the older one, with an error of 1.5e-3.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
template <bool tLegacyCompat = true> inline void recip_tile_init(TTEMU_LINE) {
  ttemu_sfpu_init(TTEMU_RECIP, line);
}
template <bool tLegacyCompat = true>
inline void recip_tile(uint32_t dst, ttemu::mode_type mode = ttemu::RC, TTEMU_LINE) {
  ttemu_sfpu_run(
      {tLegacyCompat ? TTEMU_RECIP_LEGACY : TTEMU_RECIP, 1, {dst}, dst, {}, static_cast<int>(mode)},
      line);
}
} // namespace ckernel
using namespace ckernel;
