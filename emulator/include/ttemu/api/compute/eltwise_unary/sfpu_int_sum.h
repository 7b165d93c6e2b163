// SFPU: sums of integers in a tile.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
inline void sfpu_sum_int_init(TTEMU_LINE) { ttemu_tile_init(TTEMU_SUM_INT_COL, line); }
inline void sfpu_sum_int_col(uint32_t dst, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_SUM_INT_COL, dst, false, line);
}
inline void sfpu_sum_int_row(uint32_t dst, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_SUM_INT_ROW, dst, false, line);
}
TTEMU_NOT_EMULATED(sfpu_add_int, "sums of halves of tiles are not emulated; use add_int_tile")
} // namespace ckernel
using namespace ckernel;
