// Gives two tiles to parts.cpp, and looks at the four that it makes of them.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static uint16_t as_bf16(float value) { return uint16_t(__builtin_bit_cast(uint32_t, value) >> 16); }
static int value(uint32_t row, uint32_t column) { return int((row * 7 + column * 3) % 4); }
static uint32_t place(uint32_t row, uint32_t column) { // among the faces of a tile
  return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

void kernel_main() {
  cb_reserve_back(0, 2);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  for (uint32_t r = 0; r < 32; ++r)
    for (uint32_t c = 0; c < 64; ++c)
      in[c / 32 * 1024 + place(r, c % 32)] = as_bf16(float(value(r, c)));
  cb_push_back(0, 2);
  cb_wait_front(16, 4);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t c = 0; c < 64; ++c) {
    int sum = 0;
    for (uint32_t r = 0; r < 32; ++r) {
      sum += value(r, c);
      ASSERT(out[r * 64 + c] == as_bf16(float(value(r, c))));
      ASSERT(out[2048 + c / 32 * 1024 + place(c % 32, r)] == as_bf16(float(sum)));
    }
  }
  cb_pop_front(16, 4);
}
