// Divisions by constants: the compiler knows how.
#pragma once

#include <cstdint>

template <uint32_t tDivisor> constexpr uint32_t udivsi3_const_divisor(uint32_t n) {
  return n / tDivisor;
}
template <uint32_t tDivisor> constexpr uint32_t umodsi3_const_divisor(uint32_t n) {
  return n % tDivisor;
}
constexpr uint32_t mulsi3(uint32_t a, uint32_t b) { return a * b; }
