// The shape of a tile.
#pragma once

#include <array>
#include <cstdint>

#include <tt-metalium/constants.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>

namespace tt::tt_metal {

struct Tile {
  Tile(std::array<uint32_t, 2> shape = {constants::TILE_HEIGHT, constants::TILE_WIDTH},
       bool transposed = false)
      : shape_(shape), transposed_(transposed) {}
  uint32_t get_height() const { return shape_[0]; }
  uint32_t get_width() const { return shape_[1]; }
  uint32_t get_tile_hw() const { return shape_[0] * shape_[1]; }
  std::array<uint32_t, 2> get_tile_shape() const { return shape_; }
  std::array<uint32_t, 2> get_face_shape() const {
    return {shape_[0] < constants::FACE_HEIGHT ? shape_[0] : constants::FACE_HEIGHT,
            constants::FACE_WIDTH};
  }
  uint32_t get_face_hw() const { return get_face_shape()[0] * get_face_shape()[1]; }
  uint32_t get_num_faces() const { return get_tile_hw() / get_face_hw(); }
  // Bytes, of which block formats have one more for each row of a face.
  uint32_t get_tile_size(tt::DataFormat format) const {
    const uint32_t whole = tt::tile_size(format);
    return whole * get_tile_hw() / constants::TILE_HW;
  }
  bool get_transpose_within_face() const { return transposed_; }
  bool get_transpose_of_faces() const { return transposed_; }
  bool operator==(const Tile &) const = default;

private:
  std::array<uint32_t, 2> shape_;
  bool transposed_;
};

} // namespace tt::tt_metal
