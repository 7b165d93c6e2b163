// bfloat16: the upper half of a float, rounded to nearest even; and vectors of it.
#pragma once

#include <tt_stl/span.hpp>

#include <cmath>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <ostream>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

class bfloat16 {
public:
  static constexpr std::size_t SIZEOF = 2;
  constexpr bfloat16() = default;
  constexpr bfloat16(float value) : bits_(rounded(value)) {}
#if defined(TTEMU_API) && TTEMU_API < 202603
  explicit bfloat16(int value) : bfloat16(static_cast<float>(value)) {}
  explicit bfloat16(double value) : bfloat16(static_cast<float>(value)) {}
  explicit bfloat16(uint32_t bits) : bits_(static_cast<uint16_t>(bits)) {} // not its value
  explicit bfloat16(uint16_t bits) : bits_(bits) {}                        // nor of this one
#else
  template <typename T>
    requires std::is_arithmetic_v<T>
  constexpr bfloat16(T value) : bfloat16(static_cast<float>(value)) {}
#endif
  static constexpr bfloat16 from_bits(uint32_t bits) {
    bfloat16 x;
    x.bits_ = static_cast<uint16_t>(bits);
    return x;
  }
  static bfloat16 truncate(float value) {
    return from_bits(__builtin_bit_cast(uint32_t, value) >> 16);
  }
  constexpr operator float() const { return __builtin_bit_cast(float, uint32_t(bits_) << 16); }
  constexpr bool operator==(bfloat16 other) const { return float(*this) == float(other); }
  constexpr auto operator<=>(bfloat16 other) const { return float(*this) <=> float(other); }
  bfloat16 &operator+=(bfloat16 other) { return *this = bfloat16(float(*this) + float(other)); }
  bfloat16 &operator-=(bfloat16 other) { return *this = bfloat16(float(*this) - float(other)); }
  bfloat16 &operator*=(bfloat16 other) { return *this = bfloat16(float(*this) * float(other)); }
  bfloat16 &operator/=(bfloat16 other) { return *this = bfloat16(float(*this) / float(other)); }
  bfloat16 operator+(bfloat16 other) const { return bfloat16(*this) += other; }
  bfloat16 operator-(bfloat16 other) const { return bfloat16(*this) -= other; }
  bfloat16 operator*(bfloat16 other) const { return bfloat16(*this) *= other; }
  bfloat16 operator/(bfloat16 other) const { return bfloat16(*this) /= other; }
  float to_float() const { return static_cast<float>(*this); }
  uint16_t to_uint16() const { return bits_; }
  uint16_t to_packed() const { return bits_; }

private:
  static constexpr uint16_t rounded(float value) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    return static_cast<uint16_t>(nan ? bits >> 16 | 0x40
                                     : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  uint16_t bits_ = 0;
};
inline std::ostream &operator<<(std::ostream &out, bfloat16 x) { return out << float(x); }

// Two of them in a word, the first one in its lower half.
inline uint32_t pack_two_bfloat16_into_uint32(std::pair<bfloat16, bfloat16> two) {
  return uint32_t{two.first.to_uint16()} | uint32_t{two.second.to_uint16()} << 16;
}
inline std::pair<bfloat16, bfloat16> unpack_two_bfloat16_from_uint32(uint32_t word) {
  return {bfloat16::from_bits(word & 0xffff), bfloat16::from_bits(word >> 16)};
}
inline std::vector<uint32_t> pack_bfloat16_vec_into_uint32_vec(const std::vector<bfloat16> &data) {
  std::vector<uint32_t> words;
  for (std::size_t i = 0; i + 1 < data.size(); i += 2)
    words.push_back(pack_two_bfloat16_into_uint32({data[i], data[i + 1]}));
  return words;
}
inline bfloat16 bfloat16_identity_transform(const bfloat16 &x) { return x; }
inline std::vector<bfloat16> unpack_uint32_vec_into_bfloat16_vec(
    const std::vector<uint32_t> &words,
    const std::function<bfloat16(const bfloat16 &)> &transform = bfloat16_identity_transform) {
  std::vector<bfloat16> data;
  for (uint32_t word : words)
    for (bfloat16 x : {bfloat16::from_bits(word & 0xffff), bfloat16::from_bits(word >> 16)})
      data.push_back(transform(x));
  return data;
}

// Vectors of `bytes` bytes: random ones between offset and offset + range, or one value.
inline std::vector<bfloat16> create_random_vector_of_bfloat16_native(std::size_t bytes, float range,
                                                                     int seed, float offset = 0) {
  std::mt19937 engine(static_cast<uint32_t>(seed));
  std::uniform_real_distribution<float> values(0.0f, range);
  std::vector<bfloat16> data(bytes / sizeof(bfloat16));
  for (bfloat16 &x : data) x = bfloat16(values(engine) + offset);
  return data;
}
// A template, so that a program's own function of this name is preferred.
template <bool tLast = true>
std::vector<uint32_t> create_random_vector_of_bfloat16(std::size_t bytes, int range, int seed,
                                                       float offset = 0) {
  return pack_bfloat16_vec_into_uint32_vec(
      create_random_vector_of_bfloat16_native(bytes, static_cast<float>(range), seed, offset));
}
inline std::vector<uint32_t> create_constant_vector_of_bfloat16(std::size_t bytes, float value) {
  const bfloat16 x(value);
  return std::vector<uint32_t>(bytes / sizeof(uint32_t), pack_two_bfloat16_into_uint32({x, x}));
}

inline std::vector<bfloat16> create_identity_matrix(int rows, int cols, int num_ones) {
  std::vector<bfloat16> data(static_cast<std::size_t>(rows * cols));
  for (int i = 0; i < num_ones; ++i) data[static_cast<std::size_t>(i * cols + i)] = bfloat16(1.0f);
  return data;
}

inline bool is_close(float a, float b, float rtol = 0.01f, float atol = 0.001f) {
  return a == b ||
         std::fabs(a - b) <= std::fmax(rtol * std::fmax(std::fabs(a), std::fabs(b)), atol);
}
inline bool packed_uint32_t_vector_comparison(const std::vector<uint32_t> &a,
                                              const std::vector<uint32_t> &b,
                                              const std::function<bool(float, float)> &same,
                                              int *failed = nullptr) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = unpack_two_bfloat16_from_uint32(a[i]), y = unpack_two_bfloat16_from_uint32(b[i]);
    const bool first = same(x.first, y.first);
    if (first && same(x.second, y.second)) continue;
    if (failed) *failed = static_cast<int>(2 * i + first);
    return false;
  }
  return true;
}
// Pearson's correlation. A template, so that a program's own function of this name is preferred.
template <bool tLast = true>
float check_bfloat16_vector_pcc(const std::vector<bfloat16> &a, const std::vector<bfloat16> &b) {
  double n = static_cast<double>(a.size()), x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double u = static_cast<float>(a[i]), v = static_cast<float>(b[i]);
    x += u, y += v, xx += u * u, yy += v * v, xy += u * v;
  }
  return static_cast<float>((n * xy - x * y) / std::sqrt((n * xx - x * x) * (n * yy - y * y)));
}
inline void print_golden_metalium_vectors(const std::vector<bfloat16> &golden,
                                          const std::vector<bfloat16> &result) {
  std::printf("-- index -- golden -- metalium --\n");
  for (std::size_t i = 0; i < result.size(); i += 128)
    std::printf("-- %zu -- %g <--> %g\n", i, double(float(golden[i])), double(float(result[i])));
}
