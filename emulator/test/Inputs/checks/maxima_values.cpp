// Gives values and indices, two tiles each, to maxima.cpp, and looks at what it found.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

// Steps of 1/4 between -8 and 8, so that many are equal; indices are numbers. Rows 9 to 11 of the
// upper faces are small: the unit takes four rows at a time, and the second face twice.
static int value(uint32_t chunk, uint32_t i) {
  const uint32_t row = i / 16;
  if (row < 32 && row % 16 >= 9 && row % 16 < 12) return -32;
  return int((i * 37 + i / 32 * 11 + chunk * 5) % 64) - 32;
}
static float as_float(uint16_t bits) { return __builtin_bit_cast(float, uint32_t{bits} << 16); }
static uint16_t as_bf16(float value) { return uint16_t(__builtin_bit_cast(uint32_t, value) >> 16); }

// Which of some places is the largest, and the first in an order where they are equal.
struct Best {
  int value = -100;
  uint32_t stick = 0;
  void look(int v, uint32_t s) {
    if (v > value) value = v, stick = s;
  }
};

// Even sticks come before odd ones within eight, and later ones of the second half first.
static Best of_eight(uint32_t chunk, uint32_t column, uint32_t first) {
  Best b;
  for (uint32_t odd = 0; odd < 2; ++odd)
    for (uint32_t s = odd; s < 8; s += 2)
      b.look(value(chunk, (first + s) * 32 + column), first + s);
  return b;
}
static Best larger(Best first, Best second) { return second.value > first.value ? second : first; }
static Best of_all(uint32_t chunk, uint32_t column) {
  const Best half = larger(of_eight(chunk, column, 8), of_eight(chunk, column, 0));
  return larger(larger(of_eight(chunk, column, 24), of_eight(chunk, column, 16)), half);
}

static void expect(const uint16_t *out, uint32_t at, Best b, uint32_t chunk) {
  ASSERT(as_float(out[at]) == float(b.value) / 4);
  ASSERT(as_float(out[1024 + at]) == float(b.stick + 1 + 64 * chunk));
}

void kernel_main() {
  cb_reserve_back(0, 4);
  auto *in = reinterpret_cast<uint16_t *>(get_write_ptr(0));
  for (uint32_t chunk = 0; chunk < 2; ++chunk)
    for (uint32_t i = 0; i < 1024; ++i) {
      in[2048 * chunk + i] = as_bf16(float(value(chunk, i)) / 4);
      in[2048 * chunk + 1024 + i] = as_bf16(float(i / 32 + 1 + 64 * chunk));
    }
  cb_push_back(0, 4);

  cb_wait_front(16, 4);
  const auto *out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t column = 0; column < 32; ++column) {
    Best rows; // of a face: nine rows of sixteen, two a stick
    for (uint32_t r = 0; r < 9; ++r)
      rows.look(value(0, column / 16 * 256 + r * 16 + column % 16),
                (column / 16 * 256 + r * 16) / 32);
    const uint32_t at = column / 16 * 256 + column % 16;
    ASSERT(as_float(out[at]) == float(rows.value) / 4);
    ASSERT(as_float(out[1024 + at]) == float(rows.stick + 1));
    expect(out + 2048, column, larger(of_eight(0, column, 0), {value(0, 8 * 32 + column), 8}), 0);
  }
  cb_pop_front(16, 4);

  cb_wait_front(16, 2);
  out = reinterpret_cast<const uint16_t *>(get_read_ptr(16));
  for (uint32_t column = 0; column < 32; ++column) {
    const Best one = of_all(0, column), two = of_all(1, column);
    const bool second = two.value >= one.value; // the newer one where they are equal
    expect(out, column, second ? two : one, second);
  }
  cb_pop_front(16, 2);
}
