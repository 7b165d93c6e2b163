// Block floats, by format.
#pragma once

#include <tt-metalium/tt_backend_api_types.hpp>

#include "ttemu/block_floats.hpp"

template <tt::DataFormat tFormat, typename T>
std::vector<uint32_t>
pack_as_bfp_tiles(std::span<const T> data, bool row_major_input, bool is_exp_a,
                  const std::optional<tt::tt_metal::Tile> &tile = std::nullopt) {
  constexpr bool is_eight = tFormat == tt::DataFormat::Bfp8_b || tFormat == tt::DataFormat::Bfp8;
  static_assert(is_eight || tFormat == tt::DataFormat::Bfp4_b || tFormat == tt::DataFormat::Bfp4,
                "pack_as_bfp_tiles: Bfp8, Bfp8_b, Bfp4 or Bfp4_b");
  return ttemu::pack_bfp<is_eight ? 8 : 4>(data, row_major_input, is_exp_a, tile);
}
