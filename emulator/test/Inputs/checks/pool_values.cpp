// Gives nine rows of negative numbers and a scaler to pool.cpp, and looks at the row that it makes.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static uint16_t as_bf16(float value) { return uint16_t(__builtin_bit_cast(uint32_t, value) >> 16); }
static float value(uint32_t row, uint32_t column) {
  return -1 - float((row * 5 + column * 3) % 16) / 16;
}

void kernel_main() {
  cb_reserve_back(0, 1);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  for (uint32_t i = 0; i < 1024; ++i) in[i] = as_bf16(i < 9 * 32 ? value(i / 32, i % 32) : 100);
  cb_push_back(0, 1);
  cb_reserve_back(1, 1);
  auto *scaler = reinterpret_cast<uint16_t *>(get_write_ptr(1));
  for (uint32_t i = 0; i < 1024; ++i) scaler[i] = i < 16 ? as_bf16(1) : 0;
  cb_push_back(1, 1);
  cb_wait_front(16, 1);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t c = 0; c < 32; ++c) {
    float most = value(0, c);
    for (uint32_t r = 1; r < 9; ++r) most = value(r, c) > most ? value(r, c) : most;
    ASSERT(out[c] == as_bf16(most));
  }
  cb_pop_front(16, 1);
}
