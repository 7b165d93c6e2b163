// Bits of bfloat16 numbers, compared without a float unit.
#pragma once

#include <cstdint>
#include <cstring>

inline constexpr uint16_t NEG_INF_BFLOAT16 = 0xff80, POS_INF_BFLOAT16 = 0x7f80,
                          NAN_BFLOAT16 = 0x7fff, BFLOAT16_SIGN_MASK = 0x8000;

// By sign and magnitude, so that -0 is less than 0.
inline bool bfloat16_greater(uint16_t a, uint16_t b) {
  const bool a_negative = a & BFLOAT16_SIGN_MASK, b_negative = b & BFLOAT16_SIGN_MASK;
  if (a_negative != b_negative) return b_negative;
  return a_negative ? a < b : a > b;
}
// Of a float, its upper half.
inline uint16_t fp32_to_bf16_truncate(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}
