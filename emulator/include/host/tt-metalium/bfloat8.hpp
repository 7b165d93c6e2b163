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
#endif
