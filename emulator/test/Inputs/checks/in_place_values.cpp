// Gives four tiles to in_place.cpp, and looks at the four that it makes of them.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static float as_float(uint16_t bits) { return __builtin_bit_cast(float, uint32_t{bits} << 16); }
static uint16_t as_bf16(float value) { return uint16_t(__builtin_bit_cast(uint32_t, value) >> 16); }
static bool near(float value, float expected) {
  return __builtin_fabsf(value - expected) <= 0.04f * expected;
}

void kernel_main() {
  cb_reserve_back(0, 4);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  const auto x = [](uint32_t i) { return float(int(i % 64) - 62) / 16; };
  for (uint32_t i = 0; i < 4 * 1024; ++i) in[i] = as_bf16(x(i));
  in[2048] = as_bf16(-100), in[2049] = as_bf16(8), in[0] = as_bf16(-200);
  cb_push_back(0, 4);
  cb_wait_front(16, 4);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  ASSERT(as_float(out[0]) < 0); // for a packer that drops negative values
  for (uint32_t i = 1; i < 1024; ++i) {
    ASSERT(near(as_float(out[i]), __builtin_expf(x(i) / 2)));
    if (i < 256) ASSERT(near(as_float(out[1024 + i]), __builtin_expf(x(i) / 2)));
    else ASSERT(as_float(out[1024 + i]) == x(i));
    if (i > 1) ASSERT(near(as_float(out[2048 + i]), __builtin_expf(x(i))));
    ASSERT(out[3 * 1024 + i] == out[i]);
  }
  ASSERT(as_float(out[2048]) < 1e-37f && as_float(out[2048]) >= 0);
  ASSERT(near(as_float(out[2049]), __builtin_expf(8)));
  cb_pop_front(16, 4);
}
