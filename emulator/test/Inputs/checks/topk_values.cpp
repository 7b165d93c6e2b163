// Gives values and their indices to topk.cpp, as often as it sorts them, and looks at what it makes
// of them: in each column the first k are the largest, or smallest, in order, and each index is
// still with its value.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

static float as_float(uint16_t bits) { return __builtin_bit_cast(float, uint32_t{bits} << 16); }
static uint16_t as_bf16(uint32_t integer) {
  return uint16_t(__builtin_bit_cast(uint32_t, float(integer)) >> 16);
}
// Element (row, col) of two tiles, one below the other, in faces.
static uint32_t place(uint32_t row, uint32_t col) {
  return row / 32 * 1024 + row / 16 % 2 * 512 + col / 16 * 256 + row % 16 * 16 + col % 16;
}
static uint16_t value(uint32_t row, uint32_t col) {
  return uint16_t(as_bf16((row * 37 + col * 11) % 64 + 1 + (col > 20)) | (row % 3 ? 0x8000 : 0));
}

static void check_sorted(const uint16_t *v, const uint16_t *index, uint32_t k, bool up) {
  for (uint32_t col = 0; col < 32; ++col) {
    uint64_t seen = 0;
    for (uint32_t row = 0; row < 64; ++row) {
      const float x = as_float(v[place(row, col)]);
      const uint32_t from = uint32_t(as_float(index[place(row, col)]));
      ASSERT(v[place(row, col)] == value(from, col));
      seen |= uint64_t{1} << from;
      if (row == 0) continue;
      const float before = as_float(v[place(row < k ? row - 1 : k - 1, col)]);
      ASSERT(up ? before <= x : before >= x);
    }
    ASSERT(seen == ~uint64_t{0});
  }
}

void kernel_main() {
  for (uint32_t turn = 0; turn < 7; ++turn) {
    cb_reserve_back(0, 4);
    auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
    for (uint32_t row = 0; row < 64; ++row)
      for (uint32_t col = 0; col < 32; ++col)
        in[place(row, col)] = value(row, col), in[2048 + place(row, col)] = as_bf16(row);
    cb_push_back(0, 4);
    cb_wait_front(16, 4);
    const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
    check_sorted(out, out + 2048, turn < 2 ? 64 : 2u << (turn - 1),
                 turn == 1 || turn == 4 || turn == 6);
    cb_pop_front(16, 4);
  }
}
