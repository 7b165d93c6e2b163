// Matrices to tiles and back, by the names that programs before the middle of 2025 use.
#pragma once

#include <vector>

#include <tt-metalium/tilize_utils.hpp>

#if defined(TTEMU_API) && TTEMU_API < 202603

using TensorLayout = TensorLayoutType;
namespace tests::utils {
using ::TensorLayoutType;
}
inline constexpr TensorLayout LIN_ROW_MAJOR = TensorLayout::LIN_ROW_MAJOR,
                              TILED32_SWIZZLED = TensorLayout::TILED_SWIZZLED,
                              TILED32_4FACES = TensorLayout::TILED_NFACES,
                              TILED_SWIZZLED = TensorLayout::TILED_SWIZZLED,
                              TILED_NFACES = TensorLayout::TILED_NFACES;

// In place: matrices of rows x cols elements, one after the other.
template <typename T> void tilize(std::vector<T> &data, uint32_t rows, uint32_t cols) {
  data = tilize_nfaces(data, rows, cols);
}
template <typename T> void untilize(std::vector<T> &data, uint32_t rows, uint32_t cols) {
  data = untilize_nfaces(data, rows, cols);
}

// Tiles whose elements are in rows to tiles of faces, and back.
template <typename T> std::vector<T> convert_to_tile_layout(const std::vector<T> &data) {
  return convert_layout_tile_swizzled_to_tile_nfaces(std::span<const T>(data));
}
template <typename T> std::vector<T> convert_to_flat_layout(const std::vector<T> &data) {
  return convert_layout_tile_nfaces_to_tile_swizzled(std::span<const T>(data));
}
template <typename T>
std::vector<T> convert_layout(const std::vector<T> &data, const std::vector<uint32_t> &shape,
                              TensorLayout from, TensorLayout to) {
  return convert_layout(std::span<const T>(data), std::span<const uint32_t>(shape), from, to);
}

#endif
