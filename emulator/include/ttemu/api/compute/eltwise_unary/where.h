// SFPU: b where a is not zero, else c.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(where_tile_init, TTEMU_WHERE)
#if TTEMU_API >= 202603
template <DataFormat tFormat>
inline void where_tile(uint32_t a, uint32_t b, uint32_t c, uint32_t out, TTEMU_LINE) {
  constexpr ttemu_sfpu op = ttemu::is_integer(tFormat) ? TTEMU_WHERE_INT : TTEMU_WHERE;
  ttemu_sfpu_run({op, 3, {a, b, c}, out, {}, TTEMU_VECTOR_RC}, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
