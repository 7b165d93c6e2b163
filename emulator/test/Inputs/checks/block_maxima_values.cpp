// Gives four tiles and one of ones to block_maxima.cpp, and looks at what it found.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

// The first tile has the largest ones, which nobody asks for.
static int value(uint32_t tile, uint32_t row, uint32_t column) {
  return tile == 0 ? 100 : int((row * 29 + column * 13 + tile * 41) % 97) - 96;
}
static uint16_t as_bf16(int n) { return uint16_t(__builtin_bit_cast(uint32_t, float(n)) >> 16); }
static uint32_t place(uint32_t row, uint32_t column) { // among the faces of a tile
  return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

void kernel_main() {
  cb_reserve_back(0, 4);
  cb_reserve_back(1, 1);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  auto *ones = reinterpret_cast<uint16_t *>(get_write_ptr(1));
  for (uint32_t i = 0; i < 4096; ++i) {
    const uint32_t row = i / 32 % 32;
    in[i / 1024 * 1024 + place(row, i % 32)] = as_bf16(value(i / 1024, row, i % 32));
    ones[i % 1024] = as_bf16(1);
  }
  cb_push_back(0, 4);
  cb_push_back(1, 1);

  cb_wait_front(16, 1);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t row = 0; row < 32; ++row) {
    int most = -1000;
    for (uint32_t i = 32; i < 128; ++i)
      if (value(i / 32, row, i % 32) > most) most = value(i / 32, row, i % 32);
    ASSERT(out[place(row, 0)] == as_bf16(most));
    ASSERT(out[place(row, 1)] == 0); // the packer leaves a column
  }
  cb_pop_front(16, 1);
}
