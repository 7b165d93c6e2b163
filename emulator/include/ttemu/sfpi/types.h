// The vector unit's values: 32 lanes, of which conditions switch some off.
//
// Arithmetic is the chip's: numbers too small for a normal fp32 count as zero, going in and coming
// out; a zero is positive; results round to nearest even. A product that is added at once is not
// rounded in between: the chip keeps more of it than fp32 has, here it has the bits of a double.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "ttemu/api/compute/not_emulated.h"
#include "ttemu/kernel_calls.h"

namespace sfpi {
inline constexpr int lanes = 32;

// A flag for each lane.
struct vBool {
  uint32_t flags;
  vBool operator!() const { return {~flags}; }
  friend vBool operator&&(vBool a, vBool b) { return {a.flags & b.flags}; }
  friend vBool operator||(vBool a, vBool b) { return {a.flags | b.flags}; }
};

namespace impl {
inline uint32_t enabled = ~uint32_t{0}; // lanes that assignments change
inline uint32_t clks = 0;               // of the unit since DST was last touched

template <typename Function> constexpr vBool flags_of(Function &&is_set) {
  uint32_t flags = 0;
  for (int i = 0; i < lanes; ++i) flags |= uint32_t{is_set(i)} << i;
  return {flags};
}

// A register: its bits. An assignment changes the lanes that are on.
struct vVal {
  uint32_t bits[lanes] = {};
  vVal() = default;
  vVal(const vVal &) = default;
  vVal &operator=(const vVal &from) {
    ++clks;
    for (int i = 0; i < lanes; ++i)
      if (enabled >> i & 1) bits[i] = from.bits[i];
    return *this;
  }
  // What the SDK's compiler has in its place, and its own functions take.
  template <typename T = void> vVal get() const {
    static_assert(ttemu::never<T>,
                  "get(): the vector functions of the SDK's compiler are not emulated");
    return *this;
  }
};

inline float value_of(uint32_t bits) {
  if ((bits & 0x7f800000u) == 0) return 0;
  return __builtin_bit_cast(float, bits);
}
// As a result is written: one rounding, no denormals, no negative zero.
inline uint32_t rounded(double value) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, static_cast<float>(value));
  if (value != value) return bits | 1;
  return (bits & 0x7f800000u) == 0 ? 0 : bits;
}
} // namespace impl

// Scalars that are given as 16 bits.
struct sFloat16a {
  explicit sFloat16a(uint32_t bits) : bits(bits) {}
  uint32_t bits;
};
struct sFloat16b {
  explicit sFloat16b(std::integral auto bits) : bits(static_cast<uint32_t>(bits) & 0xffff) {}
  explicit sFloat16b(std::floating_point auto value)
      : bits(__builtin_bit_cast(uint32_t, static_cast<float>(value)) >> 16) {}
  uint32_t bits;
};
using s2vFloat16a = sFloat16a;
using s2vFloat16b = sFloat16b;

class vFloat : public impl::vVal {
public:
  vFloat() = default;
  vFloat(float value) {
    for (uint32_t &b : bits) b = __builtin_bit_cast(uint32_t, value);
  }
  vFloat(sFloat16b value) {
    for (uint32_t &b : bits) b = value.bits << 16;
  }
  vFloat(sFloat16a value) {
    const uint32_t sign = value.bits >> 15 & 1, exp = value.bits >> 10 & 31;
    for (uint32_t &b : bits)
      b = exp == 0 ? sign << 31 : sign << 31 | (exp + 112) << 23 | (value.bits & 0x3ff) << 13;
  }
  double operator[](int lane) const { return static_cast<double>(impl::value_of(bits[lane])); }
  vFloat operator-() const {
    vFloat r = *this;
    for (uint32_t &b : r.bits) b ^= 0x80000000u;
    return r;
  }
  vFloat operator+() const { return *this; }
  inline vFloat &operator+=(const vFloat &other);
  inline vFloat &operator-=(const vFloat &other);
  inline vFloat &operator*=(const vFloat &other);
};

namespace impl {
template <typename Function> vFloat float_lanes(Function &&value) {
  vFloat r;
  clks += 2;
  for (int i = 0; i < lanes; ++i) r.bits[i] = rounded(value(i));
  return r;
}
} // namespace impl

// A product, with what rounding takes away from it, for a sum that follows.
class vProduct : public vFloat {
public:
  vProduct(const vFloat &a, const vFloat &b) {
    impl::clks += 2;
    for (int i = 0; i < lanes; ++i) {
      exact[i] = a[i] * b[i];
      bits[i] = impl::rounded(exact[i]);
    }
  }
  double exact[lanes];
};

inline vProduct operator*(const vFloat &a, const vFloat &b) { return {a, b}; }
inline vFloat operator+(const vFloat &a, const vFloat &b) {
  return impl::float_lanes([&](int i) { return a[i] + b[i]; });
}
inline vFloat operator-(const vFloat &a, const vFloat &b) {
  return impl::float_lanes([&](int i) { return a[i] - b[i]; });
}
// Fused: one instruction.
inline vFloat operator+(const vProduct &a, const vFloat &b) {
  return impl::float_lanes([&](int i) { return a.exact[i] + b[i]; });
}
inline vFloat operator+(const vFloat &a, const vProduct &b) { return b + a; }
inline vFloat operator+(const vProduct &a, const vProduct &b) {
  return a + static_cast<const vFloat &>(b);
}
inline vFloat operator-(const vProduct &a, const vFloat &b) {
  return impl::float_lanes([&](int i) { return a.exact[i] - b[i]; });
}
inline vFloat operator-(const vFloat &a, const vProduct &b) {
  return impl::float_lanes([&](int i) { return a[i] - b.exact[i]; });
}
inline vFloat operator-(const vProduct &a, const vProduct &b) {
  return a - static_cast<const vFloat &>(b);
}
inline vFloat &vFloat::operator+=(const vFloat &other) { return *this = *this + other, *this; }
inline vFloat &vFloat::operator-=(const vFloat &other) { return *this = *this - other, *this; }
inline vFloat &vFloat::operator*=(const vFloat &other) {
  return *this = static_cast<const vFloat &>(*this * other), *this;
}

// Comparisons look at a difference: its sign bit, and whether any bit is set. So -0 is less than 0
// where the other side is zero, and no difference is made.
namespace impl {
inline vBool test(const vFloat &a, const vFloat &b, bool (*is)(int32_t)) {
  bool zero = true;
  for (uint32_t bits : b.bits) zero &= bits == 0;
  const vFloat difference = zero ? a : a - b;
  return flags_of([&](int i) { return is(static_cast<int32_t>(difference.bits[i])); });
}
} // namespace impl
inline vBool operator<(const vFloat &a, const vFloat &b) {
  return impl::test(a, b, [](int32_t d) { return d < 0; });
}
inline vBool operator>=(const vFloat &a, const vFloat &b) { return !(a < b); }
inline vBool operator==(const vFloat &a, const vFloat &b) {
  return impl::test(a, b, [](int32_t d) { return d == 0; });
}
inline vBool operator!=(const vFloat &a, const vFloat &b) { return !(a == b); }
inline vBool operator>(const vFloat &a, const vFloat &b) {
  return impl::test(a, b, [](int32_t d) { return d > 0; });
}
inline vBool operator<=(const vFloat &a, const vFloat &b) { return !(a > b); }

// Integers: 32 bits, signed and not.
template <typename T> class vInteger : public impl::vVal {
public:
  vInteger() = default;
  template <std::integral Scalar> vInteger(Scalar value) {
    for (uint32_t &b : bits) b = static_cast<uint32_t>(value);
  }
  template <typename U> vInteger(const vInteger<U> &other) : impl::vVal(other) {}
  T operator[](int lane) const { return static_cast<T>(bits[lane]); }
  template <typename Function> static vInteger of(Function &&value) {
    vInteger r;
    ++impl::clks;
    for (int i = 0; i < lanes; ++i) r.bits[i] = static_cast<uint32_t>(value(i));
    return r;
  }
#define SFPI_INTEGER(op)                                                                           \
  friend vInteger operator op(const vInteger &a, const vInteger &b) {                              \
    return of([&](int i) { return a.bits[i] op b.bits[i]; });                                      \
  }                                                                                                \
  vInteger &operator op## = (const vInteger &other) { return *this = *this op other, *this; }
  SFPI_INTEGER(+)
  SFPI_INTEGER(-)
  SFPI_INTEGER(&)
  SFPI_INTEGER(|)
  SFPI_INTEGER(^)
#undef SFPI_INTEGER
  vInteger operator~() const {
    return of([&](int i) { return ~bits[i]; });
  }
  vInteger operator-() const {
    return of([&](int i) { return 0 - bits[i]; });
  }
  // Shifts fill with zeros; those of signed values to the right, with the sign.
  friend vInteger operator<<(const vInteger &a, uint32_t n) {
    return of([&](int i) { return n > 31 ? 0 : a.bits[i] << n; });
  }
  friend vInteger operator>>(const vInteger &a, uint32_t n) {
    return of([&](int i) { return a[i] >> (n > 31 ? 31 : n); });
  }
  // By lanes: the chip's shift takes five bits.
  friend vInteger operator<<(const vInteger &a, const vInteger<uint32_t> &n) {
    return of([&](int i) { return a.bits[i] << (n.bits[i] & 31); });
  }
  friend vInteger operator>>(const vInteger &a, const vInteger<uint32_t> &n) {
    return of([&](int i) { return a[i] >> (n.bits[i] & 31); });
  }
  vInteger &operator<<=(const vInteger<uint32_t> &n) { return *this = *this << n, *this; }
  vInteger &operator>>=(const vInteger<uint32_t> &n) { return *this = *this >> n, *this; }
  vInteger &operator<<=(uint32_t n) { return *this = *this << n, *this; }
  vInteger &operator>>=(uint32_t n) { return *this = *this >> n, *this; }
  vInteger &operator++() { return *this += vInteger(1); }
  vInteger &operator--() { return *this -= vInteger(1); }
#define SFPI_COMPARE(op)                                                                           \
  friend vBool operator op(const vInteger &a, const vInteger &b) {                                 \
    return impl::flags_of([&](int i) { return a[i] op b[i]; });                                    \
  }
  SFPI_COMPARE(<)
  SFPI_COMPARE(<=)
  SFPI_COMPARE(>)
  SFPI_COMPARE(>=)
  SFPI_COMPARE(==)
  SFPI_COMPARE(!=)
#undef SFPI_COMPARE
};
using vInt = vInteger<int32_t>;
using vUInt = vInteger<uint32_t>;
// One of each gives what has no sign.
#define SFPI_MIXED(op)                                                                             \
  template <typename T, typename U>                                                                \
    requires(!std::same_as<T, U>)                                                                  \
  inline vUInt operator op(const vInteger<T> &a, const vInteger<U> &b) {                           \
    return vUInt(a) op vUInt(b);                                                                   \
  }
SFPI_MIXED(+)
SFPI_MIXED(-)
SFPI_MIXED(&)
SFPI_MIXED(|)
SFPI_MIXED(^)
#undef SFPI_MIXED

// The same bits as another type.
template <typename To> inline To reinterpret(const impl::vVal &from) {
  To to;
  for (int i = 0; i < lanes; ++i) to.bits[i] = from.bits[i];
  return to;
}
template <typename To> inline To as(const impl::vVal &from) { return reinterpret<To>(from); }

// Conditions. A branch switches off the lanes that are not its own; leaving gives them back.
class lanes_when {
public:
  lanes_when() : outer_(impl::enabled), rest_(impl::enabled) {}
  ~lanes_when() { impl::enabled = outer_; }
  void when(vBool c) { impl::enabled = rest_ & c.flags, rest_ &= ~c.flags; }
  void otherwise() { impl::enabled = rest_, rest_ = 0; }
  void otherwise(vBool c) { when(c); }
  void narrow(vBool c) { impl::enabled &= c.flags; }
  template <typename T> void when(const vInteger<T> &v) { when(v != vInteger<T>(0)); }
  template <typename T> void otherwise(const vInteger<T> &v) { when(v); }

private:
  uint32_t outer_, rest_;
};
} // namespace sfpi

#define v_if(x)                                                                                    \
  {                                                                                                \
    ::sfpi::lanes_when v_when_;                                                                    \
    v_when_.when(x);
#define v_elseif(x) v_when_.otherwise(x);
#define v_else v_when_.otherwise();
#define v_endif }
#define v_block                                                                                    \
  {                                                                                                \
    ::sfpi::lanes_when v_when_;
#define v_and(x) v_when_.narrow(x)
#define v_endblock }
