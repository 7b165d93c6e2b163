// Functions of the vector unit: parts of floats, shifts, conversions, orders.
#pragma once

#include <utility>

#include "ttemu/sfpi/types.h"

namespace sfpi {
namespace impl {
template <typename T, typename Function> T bits_of(Function &&bits) {
  T r;
  ++clks;
  for (int i = 0; i < lanes; ++i) r.bits[i] = static_cast<uint32_t>(bits(i));
  return r;
}
} // namespace impl

enum class ExponentMode { Unbiased, Biased };
enum class MantissaMode { FractionOnly, ImpliedOne };
inline vInt exexp_nodebias(const vFloat &v) {
  return impl::bits_of<vInt>([&](int i) { return v.bits[i] >> 23 & 255; });
}
inline vInt exexp(const vFloat &v, ExponentMode mode = ExponentMode::Unbiased) {
  return mode == ExponentMode::Biased ? exexp_nodebias(v) : exexp_nodebias(v) - vInt(127);
}
// The fraction; exman8 with the one before its point.
inline vInt exman9(const vFloat &v) {
  return impl::bits_of<vInt>([&](int i) { return v.bits[i] & 0x7fffffu; });
}
inline vInt exman8(const vFloat &v) { return exman9(v) | vInt(0x800000); }
inline vInt exman(const vFloat &v, MantissaMode mode = MantissaMode::FractionOnly) {
  return mode == MantissaMode::ImpliedOne ? exman8(v) : exman9(v);
}
inline vUInt exsgn(const impl::vVal &v) {
  return impl::bits_of<vUInt>([&](int i) { return v.bits[i] >> 31; });
}
inline vFloat setexp(const vFloat &v, const vInt &exp) {
  return impl::bits_of<vFloat>(
      [&](int i) { return (v.bits[i] & 0x807fffffu) | (exp.bits[i] & 255) << 23; });
}
inline vFloat copyexp(const vFloat &v, const vFloat &from) {
  return setexp(v, exexp_nodebias(from));
}
// Times a power of two: a zero stays one.
inline vFloat addexp(const vFloat &v, int by) {
  return impl::bits_of<vFloat>([&](int i) {
    const uint32_t exp = v.bits[i] >> 23 & 255;
    return exp == 0 ? v.bits[i]
                    : (v.bits[i] & 0x807fffffu) | ((exp + static_cast<uint32_t>(by)) & 255) << 23;
  });
}
inline vFloat setman(const vFloat &v, const vInt &man) {
  return impl::bits_of<vFloat>(
      [&](int i) { return (v.bits[i] & 0xff800000u) | (man.bits[i] & 0x7fffffu); });
}
inline vFloat copyman(const vFloat &v, const vFloat &from) {
  return setman(v, reinterpret<vInt>(from));
}
template <typename T> inline T setsgn(const T &v, int sign) {
  return impl::bits_of<T>(
      [&](int i) { return (v.bits[i] & 0x7fffffffu) | uint32_t(sign & 1) << 31; });
}
template <typename T> inline T copysgn(const T &v, const impl::vVal &from) {
  return impl::bits_of<T>(
      [&](int i) { return (v.bits[i] & 0x7fffffffu) | (from.bits[i] & 0x80000000u); });
}
inline vFloat setsgn(const vFloat &v, const vFloat &from) { return copysgn(v, from); }
inline vFloat setsgn(const vFloat &v, const vInt &from) { return copysgn(v, from); }
inline vInt setsgn(const vInt &v, const vInt &from) { return copysgn(v, from); }
inline vFloat abs(const vFloat &v) { return setsgn(v, 0); }
inline vInt abs(const vInt &v) {
  return impl::bits_of<vInt>([&](int i) { return v[i] < 0 ? 0 - v.bits[i] : v.bits[i]; });
}
// Zeros before the first bit that is set: 32 of none.
inline vInt lz(const impl::vVal &v) {
  return impl::bits_of<vInt>([&](int i) { return v.bits[i] ? __builtin_clz(v.bits[i]) : 32; });
}
inline vInt lz_nosgn(const impl::vVal &v) {
  return impl::bits_of<vInt>([&](int i) {
    const uint32_t rest = v.bits[i] & 0x7fffffffu;
    return rest ? __builtin_clz(rest) : 32;
  });
}

enum class ShiftMode { Logical, Arithmetic };
// To the left by positive amounts, to the right by negative ones, of which five bits count.
template <typename T>
inline vInteger<T> shft(const vInteger<T> &v, const vInt &by, ShiftMode mode = ShiftMode::Logical) {
  return impl::bits_of<vInteger<T>>([&](int i) -> uint32_t {
    const uint32_t left = static_cast<uint32_t>(by[i]), right = 0 - left;
    if (by[i] >= 0) return v.bits[i] << (left & 31);
    if (mode == ShiftMode::Arithmetic)
      return static_cast<uint32_t>(static_cast<int32_t>(v.bits[i]) >> (right & 31));
    return v.bits[i] >> (right & 31);
  });
}

/*===- Conversions ------------------------------------------------------------------------===*/

enum class RoundMode { NearestEven, Nearest = NearestEven, NearestStochastic, Zero };
namespace impl {
// Off the lower bits, as floats are rounded: to nearest even, to zero, or up with the chance of
// what is lost.
inline uint32_t drop_bits(uint32_t bits, int n, RoundMode mode) {
  const uint32_t mask = (1u << n) - 1, low = bits & mask;
  uint32_t up = 0;
  if (mode == RoundMode::NearestEven) up = low + (bits >> n & 1) > (1u << (n - 1));
  if (mode == RoundMode::NearestStochastic) up = low + (ttemu_random() & mask) > mask;
  return (bits & ~mask) + (up << n);
}
inline RoundMode mode_of(int stochastic) {
  return stochastic ? RoundMode::NearestStochastic : RoundMode::NearestEven;
}
template <typename T> T to_integer(const vFloat &v, double low, double high, RoundMode mode) {
  return bits_of<T>([&](int i) {
    double x = v[i];
    x = x < low ? low : x > high ? high : x;
    const double down = __builtin_floor(__builtin_fabs(x)), rest = __builtin_fabs(x) - down;
    double magnitude = down;
    if (mode == RoundMode::NearestEven) magnitude = __builtin_floor(__builtin_fabs(x) + 0.5);
    if (mode == RoundMode::NearestStochastic)
      magnitude += rest * 0x1p23 + static_cast<double>(ttemu_random() & 0x7fffffu) >= 0x1p23;
    return static_cast<int64_t>(x < 0 ? -magnitude : magnitude);
  });
}
} // namespace impl
inline vFloat int32_to_float(const vInt &v, RoundMode = RoundMode::NearestEven) {
  return impl::bits_of<vFloat>(
      [&](int i) { return __builtin_bit_cast(uint32_t, static_cast<float>(v[i])); });
}
inline vFloat int32_to_float(const vInt &v, int stochastic) {
  return int32_to_float(v, impl::mode_of(stochastic));
}
inline vFloat float_to_fp16b(const vFloat &v, RoundMode mode) {
  return impl::bits_of<vFloat>([&](int i) {
    return (v.bits[i] & 0x7f800000u) == 0x7f800000u ? v.bits[i] & 0xffff0000u
                                                    : impl::drop_bits(v.bits[i], 16, mode);
  });
}
inline vFloat float_to_fp16a(const vFloat &v, RoundMode mode) {
  return impl::bits_of<vFloat>([&](int i) {
    const uint32_t bits = impl::drop_bits(v.bits[i], 13, mode), exp = bits >> 23 & 255;
    if (exp <= 112) return bits & 0x80000000u;
    return exp > 142 ? (bits & 0x80000000u) | 0x477fe000u : bits;
  });
}
inline vUInt float_to_uint16(const vFloat &v, RoundMode mode) {
  return impl::to_integer<vUInt>(v, 0, 65535, mode);
}
inline vInt float_to_int16(const vFloat &v, RoundMode mode) {
  return impl::to_integer<vInt>(v, -32767, 32767, mode);
}
inline vUInt float_to_uint8(const vFloat &v, RoundMode mode) {
  return impl::to_integer<vUInt>(v, 0, 255, mode);
}
inline vInt float_to_int8(const vFloat &v, RoundMode mode) {
  return impl::to_integer<vInt>(v, -127, 127, mode);
}
#define SFPI_ROUND(name, type)                                                                     \
  inline type name(const vFloat &v, int stochastic = 1) {                                          \
    return name(v, impl::mode_of(stochastic));                                                     \
  }
SFPI_ROUND(float_to_fp16b, vFloat)
SFPI_ROUND(float_to_fp16a, vFloat)
SFPI_ROUND(float_to_uint16, vUInt)
SFPI_ROUND(float_to_int16, vInt)
SFPI_ROUND(float_to_uint8, vUInt)
SFPI_ROUND(float_to_int8, vInt)
#undef SFPI_ROUND

/*===- Orders -----------------------------------------------------------------------------===*/

// Both vectors, the smaller element first; of floats by sign and magnitude, with -0 below 0.
template <typename T> inline void vec_min_max(T &a, T &b) {
  const auto key = [](uint32_t bits) {
    if constexpr (std::is_same_v<T, vFloat>)
      return bits >> 31 ? -1 - static_cast<int64_t>(bits & 0x7fffffffu)
                        : static_cast<int64_t>(bits);
    else return static_cast<int64_t>(T(bits)[0]);
  };
  T low = a, high = b;
  for (int i = 0; i < lanes; ++i)
    if (key(b.bits[i]) < key(a.bits[i])) low.bits[i] = b.bits[i], high.bits[i] = a.bits[i];
  a = low, b = high;
}
template <typename T> inline void vec_swap(T &a, T &b) {
  const T old = a;
  a = b, b = old;
}
template <typename T> inline void swap(T &a, T &b) { vec_swap(a, b); }
inline vFloat min(vFloat a, vFloat b) { return vec_min_max(a, b), a; }
inline vFloat max(vFloat a, vFloat b) { return vec_min_max(a, b), b; }
inline vFloat clamp(const vFloat &v, const vFloat &low, const vFloat &high) {
  return min(max(v, low), high);
}
inline vBool is_nan(const vFloat &v) {
  return impl::flags_of([&](int i) { return (v.bits[i] & 0x7fffffffu) > 0x7f800000u; });
}
inline vBool is_inf(const vFloat &v) {
  return impl::flags_of([&](int i) { return (v.bits[i] & 0x7fffffffu) == 0x7f800000u; });
}
inline vBool is_zero(const vFloat &v) {
  return impl::flags_of([&](int i) { return (v.bits[i] & 0x7f800000u) == 0; });
}
inline vBool is_neg(const vFloat &v) {
  return impl::flags_of([&](int i) { return v.bits[i] >> 31 != 0; });
}
inline vBool is_finite(const vFloat &v) {
  return impl::flags_of([&](int i) { return (v.bits[i] & 0x7f800000u) != 0x7f800000u; });
}
// c0 + c1 x + …
template <typename C> inline vFloat polynomial(const vFloat &, C c0) { return vFloat(c0); }
template <typename C, typename... Cs> inline vFloat polynomial(const vFloat &x, C c0, Cs... cs) {
  return polynomial(x, cs...) * x + vFloat(c0);
}
// Four vectors of 4 rows: rows become vectors.
inline void subvec_transp(vFloat &a, vFloat &b, vFloat &c, vFloat &d) {
  vFloat *const v[] = {&a, &b, &c, &d};
  const vFloat old[] = {a, b, c, d};
  for (int k = 0; k < 4; ++k)
    for (int row = 0; row < 4; ++row)
      for (int i = 0; i < 8; ++i) v[k]->bits[row * 8 + i] = old[row].bits[k * 8 + i];
}
inline vInt rand() {
  return impl::bits_of<vInt>([](int) { return ttemu_random(); });
}
} // namespace sfpi
