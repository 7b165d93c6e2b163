// SFPU: one tile of DST to another. Without a format, and with one of floats, denormals become
// zeros on their way: small integers of 32 bits, too.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(copy_dest_values_init, TTEMU_COPY_DEST)
#if TTEMU_API >= 202603
template <DataFormat tFormat> inline void copy_dest_values(uint32_t from, uint32_t to, TTEMU_LINE) {
  constexpr ttemu_sfpu op = ttemu::is_integer(tFormat) ? TTEMU_COPY_DEST : TTEMU_COPY_FLOATS;
  ttemu_sfpu_run({op, 1, {from}, to, {}, TTEMU_VECTOR_RC}, line);
}
#endif
#if TTEMU_API < 202603 // the result came first
inline void copy_dest_values(uint32_t to, uint32_t from, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_COPY_FLOATS, 1, {from}, to, {}, TTEMU_VECTOR_RC}, line);
}
#elif TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void copy_dest_values(uint32_t from, uint32_t to, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_COPY_FLOATS, 1, {from}, to, {}, TTEMU_VECTOR_RC}, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
