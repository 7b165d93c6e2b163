// The shape of a tile.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/constants.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>

namespace tt::tt_metal {

// 32, 16, 8, 4, 2 or 1 rows of 32 or 16 elements, in faces of up to 16 rows of 16. Ops take those
// that have at least 16 rows.
struct Tile {
  Tile(std::array<uint32_t, 2> shape = {constants::TILE_HEIGHT, constants::TILE_WIDTH},
       bool transposed = false)
      : shape_(shape), transposed_(transposed) {
    const uint32_t rows = shape[0];
    TT_FATAL(rows >= 1 && rows <= 32 && (rows & (rows - 1)) == 0 &&
                 (shape[1] == 16 || shape[1] == 32),
             "a tile of {}x{}: there are 1, 2, 4, 8, 16 or 32 rows of 16 or 32 elements", rows,
             shape[1]);
    TT_FATAL(!transposed || rows >= constants::FACE_HEIGHT,
             "a transposed tile has 16 or 32 rows, not {}", rows);
  }
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
  uint32_t get_partial_face() const { return shape_[0] < constants::TILE_HEIGHT; }
  uint32_t get_narrow_tile() const { return shape_[1] < constants::TILE_WIDTH; }
  // Bytes, of which block formats have one more for each row of a face, rounded up to 16.
  uint32_t get_tile_size(tt::DataFormat format) const {
    const uint32_t whole = tt::tile_size(format), exponents = whole % 1024 == 0 ? 0 : 64;
    const uint32_t rows = get_num_faces() * get_face_shape()[0];
    return (whole - exponents) * get_tile_hw() / constants::TILE_HW +
           (exponents ? (rows + 15) / 16 * 16 : 0);
  }
  bool get_transpose_within_face() const { return transposed_; }
  bool get_transpose_of_faces() const { return transposed_; }
  bool operator==(const Tile &other) const { return shape_ == other.shape_; }

private:
  std::array<uint32_t, 2> shape_;
  bool transposed_;
};

inline std::ostream &operator<<(std::ostream &out, const Tile &tile) {
  return out << "Tile(" << tile.get_height() << "x" << tile.get_width() << ")";
}

} // namespace tt::tt_metal
