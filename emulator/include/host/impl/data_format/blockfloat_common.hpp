// Block floats, by format.
#pragma once

#include <tt-metalium/tt_backend_api_types.hpp>

#include "ttemu/block_floats.hpp"

template <tt::DataFormat tFormat, typename T>
std::vector<uint32_t>
pack_as_bfp_tiles(std::span<const T> data, bool row_major_input, bool is_exp_a,
                  const std::optional<tt::tt_metal::Tile> &tile = std::nullopt) {
  static_assert(tFormat == tt::DataFormat::Bfp8_b || tFormat == tt::DataFormat::Bfp4_b,
                "pack_as_bfp_tiles: Bfp8_b or Bfp4_b");
  return ttemu::pack_bfp<tFormat == tt::DataFormat::Bfp8_b ? 8 : 4>(data, row_major_input, is_exp_a,
                                                                    tile);
}
