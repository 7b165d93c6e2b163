// Bits of float32 numbers, compared without a float unit.
#pragma once

#include <cstdint>

inline constexpr uint32_t NEG_INF_FLOAT32 = 0xff800000, POS_INF_FLOAT32 = 0x7f800000,
                          NAN_FLOAT32 = 0x7fffffff, FLOAT32_SIGN_MASK = 0x80000000,
                          FLOAT32_EXPONENT_MASK = 0x7f800000, FLOAT32_MANTISSA_MASK = 0x007fffff,
                          FLOAT32_MAGNITUDE_MASK = 0x7fffffff;

inline bool float32_greater(uint32_t a, uint32_t b) {
  return __builtin_bit_cast(float, a) > __builtin_bit_cast(float, b);
}
