// Transposes in DST.
#pragma once
#include "ttemu/api/compute/common.h"

namespace ckernel {
#if TTEMU_API >= 202608
template <bool t32Bits = false, bool tFaces = true>
inline void transpose_dest_init(uint32_t = 0, TTEMU_LINE) {
  ttemu_tile_init(TTEMU_TRANSPOSE_DEST, line);
}
template <bool t32Bits = false, bool tFaces = true>
inline void transpose_dest(uint32_t dst, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_TRANSPOSE_DEST, dst, false, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
