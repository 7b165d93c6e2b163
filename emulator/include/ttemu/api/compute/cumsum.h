// SFPU: running sums down the columns, from tile to tile.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
inline void cumsum_tile_init(TTEMU_LINE) { ttemu_tile_init(TTEMU_CUMSUM, line); }
inline void cumsum_tile(uint32_t dst, bool first = true, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_CUMSUM, dst, !first, line);
}
} // namespace ckernel
using namespace ckernel;
