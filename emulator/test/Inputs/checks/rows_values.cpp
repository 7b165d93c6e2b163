// Gives two tiles and a list of rows to rows.cpp, and looks at the second one after it.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static float as_float(uint16_t bits) { return __builtin_bit_cast(float, uint32_t{bits} << 16); }
static uint16_t as_bf16(float value) { return uint16_t(__builtin_bit_cast(uint32_t, value) >> 16); }
// Where a row and a column are in a tile of four faces.
static uint32_t place(uint32_t r, uint32_t c) {
  return (r / 16 * 2 + c / 16) * 256 + r % 16 * 16 + c % 16;
}
static float from(uint32_t r, uint32_t c) { return float(r + 1) / 4 + float(c % 4); }
static float to(uint32_t r, uint32_t c) { return float(c % 8) - float(r % 3); }
// Some rows go nowhere, and some to one place.
static uint8_t target(uint32_t r) { return r % 5 == 3 ? 255 : uint8_t(r * 7 % 24 + r / 28); }

void kernel_main() {
  cb_reserve_back(1, 1);
  auto *list = reinterpret_cast<volatile uint8_t *>(get_write_ptr(1)); // behind 16 bytes of header
  for (uint32_t r = 0; r < 32; ++r) list[16 + r] = target(r);
  cb_push_back(1, 1);
  cb_reserve_back(0, 2);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  for (uint32_t r = 0; r < 32; ++r)
    for (uint32_t c = 0; c < 32; ++c) {
      in[place(r, c)] = as_bf16(from(r, c));
      in[1024 + place(r, c)] = as_bf16(to(r, c));
    }
  cb_push_back(0, 2);
  cb_wait_front(16, 1);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t r = 0; r < 32; ++r)
    for (uint32_t c = 0; c < 32; ++c) {
      float sum = to(r, c);
      for (uint32_t s = 0; s < 32; ++s)
        if (target(s) == r) sum += from(s, c);
      ASSERT(as_float(out[place(r, c)]) == sum);
    }
  cb_pop_front(16, 1);
}
