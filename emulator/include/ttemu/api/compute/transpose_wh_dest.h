// Transposes in DST, by their older names.
#pragma once
#include "ttemu/api/compute/common.h"

namespace ckernel {
template <bool t32Bits = false> inline void transpose_wh_dest_init_short(TTEMU_LINE) {
  ttemu_tile_init(TTEMU_TRANSPOSE_DEST, line);
}
template <bool t32Bits = false> inline void transpose_wh_dest(uint32_t dst, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_TRANSPOSE_DEST, dst, false, line);
}
} // namespace ckernel
using namespace ckernel;
