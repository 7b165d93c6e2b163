// Tiles of block floats of 8 bits, packed and unpacked.
#pragma once

#include "ttemu/block_floats.hpp"

template <typename T>
std::vector<uint32_t>
pack_as_bfp8_tiles(std::span<const T> data, bool row_major_input, bool is_exp_a,
                   const std::optional<tt::tt_metal::Tile> &tile = std::nullopt) {
  return ttemu::pack_bfp<8>(data, row_major_input, is_exp_a, tile);
}
inline std::vector<float>
unpack_bfp8_tiles_into_float_vec(std::span<const uint32_t> tiles, bool row_major_output,
                                 bool is_exp_a,
                                 const std::optional<tt::tt_metal::Tile> &tile = std::nullopt) {
  return ttemu::unpack_bfp<8>(tiles, row_major_output, is_exp_a, tile);
}
#if defined(TTEMU_API) && TTEMU_API < 202603
inline std::vector<uint32_t>
pack_fp32_vec_as_bfp8_tiles(std::span<const float> data, bool row_major_input, bool is_exp_a,
                            const std::optional<tt::tt_metal::Tile> &tile = std::nullopt) {
  return ttemu::pack_bfp<8>(data, row_major_input, is_exp_a, tile);
}

// Templates, so that a program's own functions of these names are preferred.
template <bool tLast = true>
std::vector<uint32_t> create_random_vector_of_bfp8(uint32_t bytes, bool is_exp_a, int range,
                                                   int seed, float offset = 0) {
  return ttemu::random_bfp<8>(bytes, is_exp_a, static_cast<float>(range), seed, offset);
}
template <bool tLast = true>
std::vector<uint32_t> create_constant_vector_of_bfp8(uint32_t bytes, float value, bool is_exp_a) {
  return ttemu::random_bfp<8>(bytes, is_exp_a, 0, 0, value);
}
#endif
