// Functions as straight lines between points: a |x| + b, with a and b by the range that |x| is in,
// and the sign of x or, by the names that end so, that of the result.
//
//   lut    ranges to 1, to 2, and beyond; a and b in 8 bits each: sign, 3 of a negative exponent, 4
//   lut2   the same ranges, with a and b as floats, or in 16 bits each; or six: to 0.5, 1, 1.5, 2,
//          3 (mode 2: 4), and beyond, two of which share a register, the nearer one its low half
#pragma once

#include "ttemu/sfpi/functions.h"

namespace sfpi {
namespace impl {
inline uint32_t float_of_8(uint32_t x) {
  x &= 0xff;
  return x == 0xff ? 0 : x >> 7 << 31 | (127 - (x >> 4 & 7)) << 23 | (x & 15) << 19;
}
// No fp16: zero is no number of its own, and the largest exponent is that of zero.
inline uint32_t float_of_16(uint32_t x) {
  const uint32_t exp = x >> 10 & 31;
  return (x >> 15 & 1) << 31 | (exp == 31 ? 0 : 112 + exp) << 23 | (x & 1023) << 13;
}
// The numbers of the ranges that lanes are in.
struct Ranges {
  uint8_t of[lanes];
  template <int tN> Ranges(const vFloat &x, const float (&ends)[tN]) {
    for (int i = 0; i < lanes; ++i) {
      const double distance = x[i] < 0 ? -x[i] : x[i];
      for (of[i] = 0; of[i] < tN && !(distance < ends[of[i]]);) ++of[i];
    }
  }
};
// `a` and `b` say the bits of a lane's numbers, by its range.
template <typename A, typename B>
vFloat lines(const vFloat &x, bool retains, const Ranges &ranges, A &&a, B &&b) {
  const vFloat slope = bits_of<vFloat>([&](int i) { return a(i, ranges.of[i]); }),
               start = bits_of<vFloat>([&](int i) { return b(i, ranges.of[i]); });
  const vFloat y = slope * setsgn(x, 0) + start;
  clks -= retains ? 4 : 3; // it is one instruction
  return retains ? copysgn(y, x) : y;
}
inline constexpr float three_ranges[] = {1, 2}, six_ranges[] = {0.5, 1, 1.5, 2, 3},
                       six_wide_ranges[] = {0.5, 1, 1.5, 2, 4};
inline vFloat lut_8(const vFloat &x, bool retains, const vUInt &l0, const vUInt &l1,
                    const vUInt &l2) {
  const vUInt *const l[] = {&l0, &l1, &l2};
  return lines(
      x, retains, {x, three_ranges}, [&](int i, int r) { return float_of_8(l[r]->bits[i] >> 8); },
      [&](int i, int r) { return float_of_8(l[r]->bits[i]); });
}
inline vFloat lut_16(const vFloat &x, bool retains, const vUInt &l0, const vUInt &l1,
                     const vUInt &l2) {
  const vUInt *const l[] = {&l0, &l1, &l2};
  return lines(
      x, retains, {x, three_ranges}, [&](int i, int r) { return float_of_16(l[r]->bits[i] >> 16); },
      [&](int i, int r) { return float_of_16(l[r]->bits[i]); });
}
inline vFloat lut_32(const vFloat &x, bool retains, const vFloat &a0, const vFloat &a1,
                     const vFloat &a2, const vFloat &b0, const vFloat &b1, const vFloat &b2) {
  const vFloat *const a[] = {&a0, &a1, &a2}, *const b[] = {&b0, &b1, &b2};
  return lines(
      x, retains, {x, three_ranges}, [&](int i, int r) { return a[r]->bits[i]; },
      [&](int i, int r) { return b[r]->bits[i]; });
}
inline vFloat lut_six(const vFloat &x, bool retains, const vUInt &a01, const vUInt &a23,
                      const vUInt &a45, const vUInt &b01, const vUInt &b23, const vUInt &b45,
                      int mode) {
  const vUInt *const a[] = {&a01, &a23, &a45}, *const b[] = {&b01, &b23, &b45};
  const auto half = [](const vUInt *const *of, int i, int r) {
    return float_of_16(of[r / 2]->bits[i] >> r % 2 * 16);
  };
  const Ranges ranges = mode == 1 ? Ranges(x, six_ranges) : Ranges(x, six_wide_ranges);
  return lines(
      x, retains, ranges, [&](int i, int r) { return half(a, i, r); },
      [&](int i, int r) { return half(b, i, r); });
}
} // namespace impl

#define SFPI_LINES(suffix, retains)                                                                \
  inline vFloat lut##suffix(const vFloat &v, const vUInt &l0, const vUInt &l1, const vUInt &l2) {  \
    return impl::lut_8(v, retains, l0, l1, l2);                                                    \
  }                                                                                                \
  inline vFloat lut2##suffix(const vFloat &v, const vUInt &l0, const vUInt &l1, const vUInt &l2) { \
    return impl::lut_16(v, retains, l0, l1, l2);                                                   \
  }                                                                                                \
  inline vFloat lut2##suffix(const vFloat &v, const vFloat &a0, const vFloat &a1,                  \
                             const vFloat &a2, const vFloat &b0, const vFloat &b1,                 \
                             const vFloat &b2) {                                                   \
    return impl::lut_32(v, retains, a0, a1, a2, b0, b1, b2);                                       \
  }                                                                                                \
  inline vFloat lut2##suffix(const vFloat &v, const vUInt &a01, const vUInt &a23,                  \
                             const vUInt &a45, const vUInt &b01, const vUInt &b23,                 \
                             const vUInt &b45, int mode = 1) {                                     \
    return impl::lut_six(v, retains, a01, a23, a45, b01, b23, b45, mode);                          \
  }
SFPI_LINES(, true)
SFPI_LINES(_sign, false)
#undef SFPI_LINES
} // namespace sfpi
