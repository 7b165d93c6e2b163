// Rows of a tile, added to those of the next one that a list in L1 names.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
inline void reshuffle_rows_tile_init() {}
inline void reshuffle_rows_tile(uint32_t dst, uint32_t list, TTEMU_LINE) {
  ttemu_reshuffle_rows(dst, list, line);
}
} // namespace ckernel
using namespace ckernel;
