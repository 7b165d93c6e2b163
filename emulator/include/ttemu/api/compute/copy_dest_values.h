// SFPU: one tile of DST to another.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(copy_dest_values_init, TTEMU_COPY_DEST)
template <DataFormat tFormat> inline void copy_dest_values(uint32_t from, uint32_t to, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_COPY_DEST, 1, {from}, to, {}, TTEMU_VECTOR_RC}, line);
}
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void copy_dest_values(uint32_t from, uint32_t to, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_COPY_DEST, 1, {from}, to, {}, TTEMU_VECTOR_RC}, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
