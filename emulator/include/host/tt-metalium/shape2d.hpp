// Height and width.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tt::tt_metal {

class Shape2D {
public:
  Shape2D(std::size_t height, std::size_t width) : height_(height), width_(width) {}
  Shape2D(const std::pair<std::size_t, std::size_t> &size) : Shape2D(size.first, size.second) {}
  Shape2D(const std::array<std::size_t, 2> &size) : Shape2D(size[0], size[1]) {}
  Shape2D(const std::array<std::uint32_t, 2> &size) : Shape2D(size[0], size[1]) {}
  std::size_t height() const { return height_; }
  std::size_t width() const { return width_; }
  operator std::pair<std::size_t, std::size_t>() const { return {height_, width_}; }
  operator std::array<std::size_t, 2>() const { return {height_, width_}; }
  operator std::array<std::uint32_t, 2>() const {
    return {std::uint32_t(height_), std::uint32_t(width_)};
  }
  Shape2D operator*(std::size_t factor) const { return {height_ * factor, width_ * factor}; }
  bool operator==(const Shape2D &) const = default;

private:
  std::size_t height_, width_;
};

} // namespace tt::tt_metal
