// bfloat16: the upper half of a float, rounded to nearest even; and vectors of it.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

class bfloat16 {
public:
  bfloat16() = default;
  bfloat16(float value) {
    uint32_t bits = __builtin_bit_cast(uint32_t, value);
    bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    bits_ =
        static_cast<uint16_t>(nan ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  explicit bfloat16(int value) : bfloat16(static_cast<float>(value)) {}
  explicit bfloat16(double value) : bfloat16(static_cast<float>(value)) {}
  explicit bfloat16(uint32_t bits) : bits_(static_cast<uint16_t>(bits)) {}
  static bfloat16 truncate(float value) {
    return bfloat16(__builtin_bit_cast(uint32_t, value) >> 16);
  }
  operator float() const { return __builtin_bit_cast(float, uint32_t(bits_) << 16); }
  float to_float() const { return static_cast<float>(*this); }
  uint16_t to_uint16() const { return bits_; }
  uint16_t to_packed() const { return bits_; }

private:
  uint16_t bits_ = 0;
};

// Two of them in a word, the first one in its lower half.
inline uint32_t pack_two_bfloat16_into_uint32(std::pair<bfloat16, bfloat16> two) {
  return uint32_t{two.first.to_uint16()} | uint32_t{two.second.to_uint16()} << 16;
}
inline std::pair<bfloat16, bfloat16> unpack_two_bfloat16_from_uint32(uint32_t word) {
  return {bfloat16(word & 0xffff), bfloat16(word >> 16)};
}
inline std::vector<uint32_t> pack_bfloat16_vec_into_uint32_vec(const std::vector<bfloat16> &data) {
  std::vector<uint32_t> words;
  for (std::size_t i = 0; i + 1 < data.size(); i += 2)
    words.push_back(pack_two_bfloat16_into_uint32({data[i], data[i + 1]}));
  return words;
}
inline std::vector<bfloat16>
unpack_uint32_vec_into_bfloat16_vec(const std::vector<uint32_t> &words) {
  std::vector<bfloat16> data;
  for (uint32_t word : words)
    data.push_back(bfloat16(word & 0xffff)), data.push_back(bfloat16(word >> 16));
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
inline std::vector<uint32_t> create_random_vector_of_bfloat16(std::size_t bytes, int range,
                                                              int seed, float offset = 0) {
  return pack_bfloat16_vec_into_uint32_vec(
      create_random_vector_of_bfloat16_native(bytes, static_cast<float>(range), seed, offset));
}
inline std::vector<uint32_t> create_constant_vector_of_bfloat16(std::size_t bytes, float value) {
  const bfloat16 x(value);
  return std::vector<uint32_t>(bytes / sizeof(uint32_t), pack_two_bfloat16_into_uint32({x, x}));
}

inline bool is_close(float a, float b, float rtol = 0.01f, float atol = 0.001f) {
  return a == b ||
         std::fabs(a - b) <= std::fmax(rtol * std::fmax(std::fabs(a), std::fabs(b)), atol);
}
inline bool packed_uint32_t_vector_comparison(const std::vector<uint32_t> &a,
                                              const std::vector<uint32_t> &b,
                                              const std::function<bool(float, float)> &same) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = unpack_two_bfloat16_from_uint32(a[i]), y = unpack_two_bfloat16_from_uint32(b[i]);
    if (!same(x.first, y.first) || !same(x.second, y.second)) return false;
  }
  return true;
}
// Pearson's correlation.
inline float check_bfloat16_vector_pcc(const std::vector<bfloat16> &a,
                                       const std::vector<bfloat16> &b) {
  double n = static_cast<double>(a.size()), x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double u = static_cast<float>(a[i]), v = static_cast<float>(b[i]);
    x += u, y += v, xx += u * u, yy += v * v, xy += u * v;
  }
  return static_cast<float>((n * xy - x * y) / std::sqrt((n * xx - x * x) * (n * yy - y * y)));
}
