// Gives a tile to each of two circular buffers, and looks at what unary.cpp makes of them.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static uint16_t value(uint32_t row, uint32_t column) { // small numbers
  return uint16_t(__builtin_bit_cast(uint32_t, float(row + 32 * (column % 4))) >> 16);
}
static uint32_t place(uint32_t row, uint32_t column) { // among the faces of a tile
  return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

void kernel_main() {
  for (uint32_t cb = 0; cb < 2; ++cb) {
    cb_reserve_back(cb, 1);
    auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(cb));
    for (uint32_t i = 0; i < 1024; ++i) in[place(i / 32, i % 32)] = value(i / 32 + cb, i % 32);
    cb_push_back(cb, 1);
  }
  cb_wait_front(16, 2);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t i = 0; i < 1024; ++i) {
    ASSERT(out[place(i / 32, i % 32)] == value(0, i % 32));
    ASSERT(out[1024 + place(i / 32, i % 32)] == value(i / 32 + 1, 0));
  }
  cb_pop_front(16, 2);
}
