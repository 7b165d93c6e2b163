// Where trees before 2025 have it.
#pragma once
#include <tt-metalium/bfloat4.hpp>
// Their header opens the namespace, and programs count on it.
using namespace std;

// Templates, so that a program's own functions of these names are preferred.
template <bool tLast = true>
std::vector<uint32_t> create_random_vector_of_bfp4(uint32_t bytes, bool is_exp_a, int range,
                                                   int seed, float offset = 0) {
  return ttemu::random_bfp<4>(bytes, is_exp_a, static_cast<float>(range), seed, offset);
}
template <bool tLast = true>
std::vector<uint32_t> create_constant_vector_of_bfp4(uint32_t bytes, float value, bool is_exp_a) {
  return ttemu::random_bfp<4>(bytes, is_exp_a, 0, 0, value);
}
