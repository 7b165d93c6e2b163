// Gives three tiles to again.cpp, of 2, 4 and 8, and looks at the products.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static uint16_t as_bf16(float value) { return uint16_t(__builtin_bit_cast(uint32_t, value) >> 16); }

void kernel_main() {
  cb_reserve_back(0, 3);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  for (uint32_t i = 0; i < 3 * 1024; ++i) in[i] = as_bf16(float(2 << i / 1024));
  cb_push_back(0, 3);
  cb_wait_front(16, 3);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t i = 0; i < 1024; ++i)
    ASSERT(out[i] == as_bf16(2) && out[1024 + i] == as_bf16(8) && out[2048 + i] == as_bf16(64));
  cb_pop_front(16, 3);
}
