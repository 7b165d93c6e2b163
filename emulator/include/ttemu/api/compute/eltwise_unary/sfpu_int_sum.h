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
// The tile after it, whatever else is named.
inline void sfpu_add_int(uint32_t dst, uint32_t = 2, int32_t = 8, TTEMU_LINE) {
  ttemu_tile_run(TTEMU_ADD_NEXT_INT, dst, false, line);
}
} // namespace ckernel
using namespace ckernel;
