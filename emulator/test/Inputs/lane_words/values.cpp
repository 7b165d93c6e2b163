// Gives two tiles of words to words.cpp, and computes what it makes of them.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static uint32_t mixed(uint32_t a, uint32_t b) {
  const uint32_t count = b & 31;
  uint32_t turned = a << count;
  if (count != 0) {
    turned |= a >> (32 - count);
    if (turned == a) turned = ~turned;
  }
  uint32_t sum = turned + 12345 - 1;
  if (turned >> 31 == 0) sum = 0u - sum;
  else if (a == ~0u) sum = 7;
  else sum ^= b;
  return b == ~0u ? a : sum;
}

void kernel_main() {
  for (uint8_t cb : {0, 1}) {
    cb_reserve_back(cb, 1);
    auto *in = reinterpret_cast<uint32_t *>(get_write_ptr(cb));
    for (uint32_t i = 0; i < 1024; ++i)
      in[i] = i % 97 == cb ? ~0u : i % 89 == cb ? 0 : 2654435761u * (i + 1031 * cb);
    cb_push_back(cb, 1);
  }
  cb_wait_front(16, 1);
  const auto *a = reinterpret_cast<const uint32_t *>(get_read_ptr(0));
  const auto *b = reinterpret_cast<const uint32_t *>(get_read_ptr(1));
  const auto *out = reinterpret_cast<const uint32_t *>(get_read_ptr(16));
  for (uint32_t i = 0; i < 1024; ++i) ASSERT(out[i] == mixed(a[i], b[i]));
  cb_pop_front(16, 1);
}
