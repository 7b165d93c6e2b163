// SFPU: recip.
#pragma once
#include "ttemu/api/compute/sfpu.h"

// The precision of the older form is not modelled: both are exact.
template <bool tLegacyCompat = true>
inline void recip_tile_init(TTEMU_LINE) {
  ttemu_sfpu_init(TTEMU_RECIP, line);
}
template <bool tLegacyCompat = true>
inline void recip_tile(uint32_t dst, TTEMU_LINE) {
  ttemu_sfpu_tile(TTEMU_RECIP, dst, 0, line);
}
