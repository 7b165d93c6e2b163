// bfloat16: the upper half of a float, rounded to nearest even.
#pragma once

#include <cstdint>

class bfloat16 {
public:
  bfloat16() = default;
  explicit bfloat16(float value) {
    uint32_t bits = __builtin_bit_cast(uint32_t, value);
    bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    bits_ = static_cast<uint16_t>(nan ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  explicit operator float() const { return __builtin_bit_cast(float, uint32_t(bits_) << 16); }
  float to_float() const { return static_cast<float>(*this); }
  uint16_t to_uint16() const { return bits_; }

private:
  uint16_t bits_ = 0;
};
