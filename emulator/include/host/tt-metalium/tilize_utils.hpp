// Row-major matrices to tiles of four faces, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/bfloat16.hpp>

namespace ttemu {

// Calls f(row-major index, index in tiles) for each element.
template <typename F> void for_each_tiled(uint32_t rows, uint32_t cols, F f) {
  TT_FATAL(rows % 32 == 0 && cols % 32 == 0,
           "a matrix of {}x{} elements is no whole number of tiles", rows, cols);
  std::size_t at = 0;
  for (uint32_t tr = 0; tr < rows; tr += 32)
    for (uint32_t tc = 0; tc < cols; tc += 32)
      for (uint32_t face = 0; face < 4; ++face)
        for (uint32_t r = 0; r < 16; ++r)
          for (uint32_t c = 0; c < 16; ++c)
            f(std::size_t(tr + face / 2 * 16 + r) * cols + tc + face % 2 * 16 + c, at++);
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
  TT_FATAL(input.size() == std::size_t{rows} * cols, "{} elements are no matrix of {}x{}",
           input.size(), rows, cols);
  ttemu::for_each_tiled(rows, cols,
                        [&](std::size_t flat, std::size_t tiled) { output[tiled] = input[flat]; });
  return output;
}

template <typename T>
std::vector<T> untilize_nfaces(const std::vector<T> &input, uint32_t rows, uint32_t cols) {
  static_assert(ttemu::is_tilized<T>, "untilize_nfaces: uint16_t, uint32_t, float or bfloat16");
  std::vector<T> output(input.size());
  TT_FATAL(input.size() == std::size_t{rows} * cols, "{} elements are no matrix of {}x{}",
           input.size(), rows, cols);
  ttemu::for_each_tiled(rows, cols,
                        [&](std::size_t flat, std::size_t tiled) { output[flat] = input[tiled]; });
  return output;
}
