// Gives a tile of numbers to lanes.cpp, and looks at the two that it makes of it.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static float as_float(uint16_t bits) { return __builtin_bit_cast(float, uint32_t{bits} << 16); }
static uint16_t as_bf16(float value) { return uint16_t(__builtin_bit_cast(uint32_t, value) >> 16); }

void kernel_main() {
  cb_reserve_back(0, 1);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  for (uint32_t i = 0; i < 1024; ++i) in[i] = as_bf16(float(int(i % 256) - 128) / 16);
  cb_push_back(0, 1);
  cb_wait_front(16, 2);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t i = 0; i < 1024; ++i) {
    const float x = float(int(i % 256) - 128) / 16;
    const float whole = float(x < 0 ? int(x - 0.5f) : int(x + 0.5f));
    ASSERT(as_float(out[i]) == (whole == 0 ? -1 : 2 * whole + 1));
    const float e = as_float(out[1024 + i]), expected = __builtin_expf(x);
    ASSERT(__builtin_fabsf(e - expected) <= 0.01f * expected);
  }
  cb_pop_front(16, 2);
}
