// Row-major matrices to tiles of four faces, and back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/bfloat16.hpp>
#include <tt_stl/span.hpp>

namespace ttemu {

// Calls f(row-major index, index in tiles) for each row of a face, which is 16 elements in both.
template <typename F>
void for_each_face_row(std::size_t elements, uint32_t rows, uint32_t cols, F f) {
  TT_FATAL(rows % 32 == 0 && cols % 32 == 0,
           "a matrix of {}x{} elements is no whole number of tiles", rows, cols);
  TT_FATAL(elements != 0 && rows != 0 && cols != 0 && elements % (std::size_t{rows} * cols) == 0,
           "{} elements are no matrices of {}x{}", elements, rows, cols);
  std::size_t at = 0;
  for (std::size_t base = 0; base < elements; base += std::size_t{rows} * cols)
    for (uint32_t tr = 0; tr < rows; tr += 32)
      for (uint32_t tc = 0; tc < cols; tc += 32)
        for (uint32_t face = 0; face < 4; ++face)
          for (uint32_t r = 0; r < 16; ++r, at += 16)
            f(base + std::size_t(tr + face / 2 * 16 + r) * cols + tc + face % 2 * 16, at);
}

// The library is compiled for these elements, and a program for others does not link.
template <typename T>
constexpr bool is_tilized = std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t> ||
                            std::is_same_v<T, float> || std::is_same_v<T, bfloat16>;

} // namespace ttemu

template <typename T>
std::vector<T> tilize_nfaces(const std::vector<T> &input, uint32_t rows, uint32_t cols) {
  static_assert(ttemu::is_tilized<T>, "tilize_nfaces: uint16_t, uint32_t, float or bfloat16");
  std::vector<T> output(input.size());
  ttemu::for_each_face_row(input.size(), rows, cols, [&](std::size_t flat, std::size_t tiled) {
    std::copy_n(input.begin() + flat, 16, output.begin() + tiled);
  });
  return output;
}

template <typename T>
std::vector<T> untilize_nfaces(const std::vector<T> &input, uint32_t rows, uint32_t cols) {
  static_assert(ttemu::is_tilized<T>, "untilize_nfaces: uint16_t, uint32_t, float or bfloat16");
  std::vector<T> output(input.size());
  ttemu::for_each_face_row(input.size(), rows, cols, [&](std::size_t flat, std::size_t tiled) {
    std::copy_n(input.begin() + tiled, 16, output.begin() + flat);
  });
  return output;
}

/*===- Between all layouts ------------------------------------------------------------------===*/

// The elements of a matrix in rows; in tiles whose elements are in rows; in tiles of faces.
enum class TensorLayoutType { LIN_ROW_MAJOR, TILED_SWIZZLED, TILED_NFACES };
#if defined(TTEMU_API) && TTEMU_API < 202603
namespace tests::utils {
using ::TensorLayoutType;
}
#endif
using PhysicalSize = std::array<uint32_t, 2>;

namespace ttemu {
// How tiles lie: their shape and that of their faces, and what is transposed.
struct TileLayout {
  PhysicalSize tile, face;
  bool within_face, of_faces;
};
// Where element (row, col) is.
inline std::size_t place_in(TensorLayoutType layout, const TileLayout &how, uint32_t row,
                            uint32_t col, uint32_t cols) {
  if (layout == TensorLayoutType::LIN_ROW_MAJOR) return std::size_t{row} * cols + col;
  const auto [height, width] = how.tile;
  const auto [face_rows, face_cols] = how.face;
  const std::size_t start =
      (std::size_t{row / height} * (cols / width) + col / width) * height * width;
  uint32_t r = row % height, c = col % width;
  if (layout == TensorLayoutType::TILED_SWIZZLED) return start + r * width + c;
  uint32_t down = r / face_rows, across = c / face_cols;
  r %= face_rows, c %= face_cols;
  if (how.of_faces && height > face_rows && width > face_cols) std::swap(down, across);
  if (how.within_face) std::swap(r, c);
  return start + (down * (width / face_cols) + across) * face_rows * face_cols + r * face_cols + c;
}
} // namespace ttemu

template <typename T>
std::vector<T> convert_layout(std::span<const T> input, const PhysicalSize &shape,
                              TensorLayoutType from, TensorLayoutType to,
                              std::optional<PhysicalSize> tile = std::nullopt,
                              std::optional<PhysicalSize> face = std::nullopt,
                              bool transpose_within_face = false, bool transpose_of_faces = false) {
  const uint32_t rows = shape[0], cols = shape[1];
  const ttemu::TileLayout how{tile.value_or(PhysicalSize{32, 32}),
                              face.value_or(PhysicalSize{16, 16}), transpose_within_face,
                              transpose_of_faces};
  TT_FATAL(how.tile[0] % how.face[0] == 0 && how.tile[1] % how.face[1] == 0 &&
               (!transpose_within_face || how.face[0] == how.face[1]),
           "tiles of {}x{} do not have faces of {}x{}{}", how.tile[0], how.tile[1], how.face[0],
           how.face[1], transpose_within_face ? ", transposed" : "");
  TT_FATAL(rows % how.tile[0] == 0 && cols % how.tile[1] == 0 &&
               input.size() % (std::size_t{rows} * cols) == 0,
           "{} elements are no matrices of {}x{} in whole tiles", input.size(), rows, cols);
  std::vector<T> output(input.size());
  for (std::size_t base = 0; base < input.size(); base += std::size_t{rows} * cols)
    for (uint32_t r = 0; r < rows; ++r)
      for (uint32_t c = 0; c < cols; ++c)
        output[base + ttemu::place_in(to, how, r, c, cols)] =
            input[base + ttemu::place_in(from, how, r, c, cols)];
  return output;
}
// Of a tensor: the last two dimensions are matrices.
template <typename T>
std::vector<T> convert_layout(std::span<const T> input, std::span<const uint32_t> shape,
                              TensorLayoutType from, TensorLayoutType to,
                              std::optional<PhysicalSize> tile = std::nullopt,
                              std::optional<PhysicalSize> face = std::nullopt,
                              bool transpose_within_face = false, bool transpose_of_faces = false) {
  TT_FATAL(shape.size() >= 2, "a tensor of {} dimensions has no matrices", shape.size());
  const PhysicalSize matrix{shape[shape.size() - 2], shape[shape.size() - 1]};
#if defined(TTEMU_API) && TTEMU_API < 202603 // what the tensor does not have was not looked at
  std::size_t elements = 1;
  for (uint32_t size : shape) elements *= size;
  if (input.size() > elements) input = input.first(elements);
#endif
  return convert_layout(input, matrix, from, to, tile, face, transpose_within_face,
                        transpose_of_faces);
}
template <typename T>
std::vector<T> convert_layout_tile_swizzled_to_tile_nfaces(std::span<const T> input) {
  const PhysicalSize tiles{static_cast<uint32_t>(input.size() / 32), 32};
  return convert_layout(input, tiles, TensorLayoutType::TILED_SWIZZLED,
                        TensorLayoutType::TILED_NFACES);
}
template <typename T>
std::vector<T> convert_layout_tile_nfaces_to_tile_swizzled(std::span<const T> input) {
  const PhysicalSize tiles{static_cast<uint32_t>(input.size() / 32), 32};
  return convert_layout(input, tiles, TensorLayoutType::TILED_NFACES,
                        TensorLayoutType::TILED_SWIZZLED);
}
template <typename T>
std::vector<T> tilize_swizzled(const std::vector<T> &input, uint32_t rows, uint32_t cols) {
  return convert_layout(std::span<const T>(input), PhysicalSize{rows, cols},
                        TensorLayoutType::LIN_ROW_MAJOR, TensorLayoutType::TILED_SWIZZLED);
}
template <typename T>
std::vector<T> untilize_swizzled(const std::vector<T> &input, uint32_t rows, uint32_t cols) {
  return convert_layout(std::span<const T>(input), PhysicalSize{rows, cols},
                        TensorLayoutType::TILED_SWIZZLED, TensorLayoutType::LIN_ROW_MAJOR);
}

// Offsets in a tensor of four dimensions, row by row.
struct TensAddr {
  std::vector<uint32_t> sh;
  TensAddr(const std::vector<uint32_t> &shape) : sh(shape) {}
  uint32_t numel() const { return sh[0] * sh[1] * sh[2] * sh[3]; }
  int offs(int n, int c, int h, int w) {
    const uint32_t at[] = {uint32_t(n), uint32_t(c), uint32_t(h), uint32_t(w)};
    uint32_t offset = 0;
    for (int d = 0; d < 4; ++d) {
      TT_FATAL(at[d] < sh[d], "index {} of dimension {}, which has {}", at[d], d, sh[d]);
      offset = offset * sh[d] + at[d];
    }
    return static_cast<int>(offset);
  }
};
constexpr uint32_t round_up_to_mul16(uint32_t n) { return (n + 15) / 16 * 16; }
constexpr uint32_t round_up_to_mul32(uint32_t n) { return (n + 31) / 32 * 32; }
constexpr uint32_t round_up_to_tile(int n, int tile) {
  return static_cast<uint32_t>((n + tile - 1) / tile * tile);
}
