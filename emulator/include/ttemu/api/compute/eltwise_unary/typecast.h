// SFPU: from one data format to another.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
template <uint32_t tFrom, uint32_t tTo> inline void typecast_tile_init(TTEMU_LINE) {
  ttemu_sfpu_init(TTEMU_TYPECAST, line);
}
template <uint32_t tFrom, uint32_t tTo> inline void typecast_tile(uint32_t dst, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_TYPECAST, 1, {dst}, dst, {tFrom, tTo}, TTEMU_VECTOR_RC}, line);
}
#if TTEMU_API < 202603
inline void typecast_tile_init(TTEMU_LINE) { ttemu_sfpu_init(TTEMU_TYPECAST, line); }
#endif
} // namespace ckernel
using namespace ckernel;
