// Tiles of DST, printed by math: as floats, row by row, a face's half a line.
#pragma once

#include "ttemu/api/debug/dprint_pages.h"

#ifdef TTEMU_COMPUTE
// A vector holds four rows of a face in its even or its odd columns.
inline void dprint_tensix_dest_reg(int tile = 0, TTEMU_LINE) {
  if (ttemu_role() != 3) return;
  DPRINT << "Tile ID = " << tile << ENDL();
  for (uint32_t pair = 0; pair < 16; ++pair) {
    uint32_t even[32], odd[32];
    const uint32_t vector = static_cast<uint32_t>(tile) * 32 + 2 * pair;
    ttemu_lanes_load(vector, even, 0, line);
    ttemu_lanes_load(vector + 1, odd, 0, line);
    for (uint32_t row = 0; row < 4; ++row) {
      std::string text;
      for (uint32_t i = 16 * row; i < 16 * row + 16; ++i) {
        char number[32];
        const uint32_t bits = i % 2 ? odd[i / 2] : even[i / 2];
        const std::size_t n = static_cast<std::size_t>(
            std::to_chars(number, number + 31, __builtin_bit_cast(float, bits),
                          std::chars_format::fixed, 4)
                .ptr -
            number);
        text.append(n < 8 ? 8 - n : 0, ' ').append(number, n) += ' ';
      }
      DPRINT << text << ENDL();
    }
  }
}
#endif
