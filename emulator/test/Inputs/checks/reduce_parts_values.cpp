// Gives a tile whose rows have one large element each to reduce_parts.cpp, and looks at column 0.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static uint16_t as_bf16(float value) { return uint16_t(__builtin_bit_cast(uint32_t, value) >> 16); }
static uint32_t place(uint32_t row, uint32_t column) {
  return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

void kernel_main() {
  cb_reserve_back(0, 1);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  for (uint32_t r = 0; r < 32; ++r)
    for (uint32_t c = 0; c < 32; ++c)
      in[place(r, c)] = as_bf16(c == r * 7 % 32 ? float(r + 1) : 0.5f);
  cb_push_back(0, 1);
  cb_reserve_back(1, 1);
  auto *scaler = reinterpret_cast<uint16_t *>(get_write_ptr(1));
  for (uint32_t i = 0; i < 1024; ++i) scaler[i] = i % 256 < 16 ? as_bf16(1) : 0;
  cb_push_back(1, 1);
  cb_wait_front(16, 1);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t r = 0; r < 32; ++r) ASSERT(out[place(r, 0)] == as_bf16(float(r + 1)));
  cb_pop_front(16, 1);
}
