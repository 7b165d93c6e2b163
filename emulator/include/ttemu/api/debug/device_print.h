// DEVICE_PRINT: a format with {} and values.
#pragma once

#include <cmath>

#include "ttemu/api/debug/dprint.h"

namespace ttemu {
// An element of a block of floats: a sign and digits behind the sign, of which the first is one if
// it is normal, below the exponent of its block.
inline float block_number(uint32_t digits, uint8_t exponent, uint32_t element) {
  const uint32_t digit_mask = (1u << digits) - 1;
  const float size = std::ldexp(static_cast<float>(element & digit_mask),
                                exponent - 127 - static_cast<int>(digits) + 1);
  return element >> digits & 1 ? -size : size;
}
} // namespace ttemu
// Numbers of 4, 8 and 16 bits that a format shows as floats; those of blocks with their exponent
// below them.
namespace ttemu {
template <int digits> struct block_element {
  union {
    struct {
      uint8_t exponent, mantissa;
    };
    uint16_t val;
  };
  block_element(uint16_t bits) : val(bits) {}
  block_element(uint8_t exponent, uint8_t mantissa) : exponent(exponent), mantissa(mantissa) {}
  float shown() const { return block_number(digits, exponent, mantissa); }
};
} // namespace ttemu
struct bf4_t : ttemu::block_element<3> {
  using block_element::block_element;
};
struct bf8_t : ttemu::block_element<7> {
  using block_element::block_element;
};
struct bf16_t {
  uint16_t val;
  bf16_t(uint16_t bits) : val(bits) {}
  float shown() const { return __builtin_bit_cast(float, uint32_t{val} << 16); }
};

#define DEVICE_PRINT(...) DPRINT(__VA_ARGS__)
#define DEVICE_PRINT_UNPACK(...) DPRINT_UNPACK(DPRINT(__VA_ARGS__))
#define DEVICE_PRINT_MATH(...) DPRINT_MATH(DPRINT(__VA_ARGS__))
#define DEVICE_PRINT_PACK(...) DPRINT_PACK(DPRINT(__VA_ARGS__))
#define DEVICE_PRINT_DATA0(...) DPRINT_DATA0(DPRINT(__VA_ARGS__))
#define DEVICE_PRINT_DATA1(...) DPRINT_DATA1(DPRINT(__VA_ARGS__))
