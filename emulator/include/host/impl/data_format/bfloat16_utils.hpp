// Helpers of host tests for vectors of bfloat16.
#pragma once

#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <tt-metalium/bfloat16.hpp>

namespace ttemu {
inline bfloat16 bfloat16_of(uint32_t bits) {
  return __builtin_bit_cast(bfloat16, static_cast<uint16_t>(bits));
}
} // namespace ttemu
inline std::vector<uint16_t> u16_from_u32_vector(const std::vector<uint32_t> &in) {
  std::vector<uint16_t> out;
  for (uint32_t word : in) out.push_back(uint16_t(word)), out.push_back(uint16_t(word >> 16));
  return out;
}
inline std::vector<uint32_t> u32_from_u16_vector(const std::vector<uint16_t> &in) {
  std::vector<uint32_t> out;
  for (std::size_t i = 0; i + 1 < in.size(); i += 2)
    out.push_back(uint32_t{in[i]} | uint32_t{in[i + 1]} << 16);
  return out;
}
// 0, 1, 2 …, two in a word.
inline std::vector<uint32_t> create_arange_vector_of_bfloat16(std::size_t bytes, bool = true) {
  std::vector<uint16_t> numbers;
  for (std::size_t i = 0; i < bytes / 2; ++i)
    numbers.push_back(__builtin_bit_cast(uint16_t, bfloat16(float(i))));
  return u32_from_u16_vector(numbers);
}
// Tiles from one on, 32 numbers a line.
inline void print_vec_of_bfloat16(const std::vector<bfloat16> &v, int tiles,
                                  const std::string &name = "", int first = 0) {
  std::cout << name << '\n';
  const std::size_t start = std::size_t(first) * 1024, end = start + std::size_t(tiles) * 1024;
  for (std::size_t i = start; i < v.size() && i < end; ++i)
    std::cout << float(v[i]) << ((i + 1) % 32 ? " " : "\n");
}
inline void print_vec_of_uint32_as_packed_bfloat16(const std::vector<uint32_t> &v, int tiles,
                                                   const std::string &name = "", int first = 0) {
  std::vector<bfloat16> numbers;
  for (uint16_t bits : u16_from_u32_vector(v)) numbers.push_back(ttemu::bfloat16_of(bits));
  print_vec_of_bfloat16(numbers, tiles, name, first);
}
// Numbers, 32 a line.
inline void print_vec(const std::vector<uint32_t> &v, int tiles, const std::string &name = "",
                      int first = 0) {
  std::cout << name << '\n';
  const std::size_t start = std::size_t(first) * 1024, end = start + std::size_t(tiles) * 1024;
  for (std::size_t i = start; i < v.size() && i < end; ++i)
    std::cout << v[i] << ((i + 1) % 32 ? " " : "\n");
}
inline std::vector<uint32_t> create_random_vector_of_bfloat16_1_1(std::size_t bytes, int seed) {
  return create_random_vector_of_bfloat16(bytes, 2, seed, -1.0f);
}
inline std::vector<uint32_t> create_random_vector_of_bfloat16_0_2(std::size_t bytes, int seed) {
  return create_random_vector_of_bfloat16(bytes, 2, seed);
}
// Zeros and ones.
inline std::vector<uint32_t> create_random_binary_vector_of_bfloat16(std::size_t bytes, int seed) {
  std::vector<bfloat16> numbers = create_random_vector_of_bfloat16_native(bytes, 1.0f, seed);
  for (bfloat16 &x : numbers) x = bfloat16(float(x) > 0.5f ? 1.0f : 0.0f);
  return pack_bfloat16_vec_into_uint32_vec(numbers);
}
inline bool equal_within_absolute_tolerance(float a, float b, float tolerance) {
  return std::fabs(a - b) < tolerance;
}
// Of their digits as printed, from the first one that is not zero on.
inline bool equal_within_n_sig_figs(float a, float b, int n) {
  const std::string x = std::to_string(a), y = std::to_string(b);
  std::size_t i = 0;
  while (i < x.size() && i < y.size() && x[i] == y[i] && (x[i] == '0' || x[i] == '.')) ++i;
  for (int seen = 0; seen < n && i < x.size() && i < y.size(); ++i) {
    if (x[i] != y[i]) return false;
    seen += x[i] != '.';
  }
  return true;
}
