// Sizes of a tensor, outermost first.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>

namespace tt::tt_metal {

class Shape {
public:
  using Container = std::vector<uint32_t>;
  Shape() = default;
  explicit Shape(std::initializer_list<uint32_t> sizes) : sizes_(sizes) {}
  explicit Shape(Container sizes) : sizes_(std::move(sizes)) {}
  template <std::size_t N>
  explicit Shape(const std::array<uint32_t, N> &sizes) : sizes_(sizes.begin(), sizes.end()) {}
  // Negative dimensions count from the last, which is -1.
  uint32_t operator[](int32_t d) const { return sizes_[place_of(d)]; }
  uint32_t &operator[](int32_t d) { return sizes_[place_of(d)]; }
  std::size_t rank() const { return sizes_.size(); }
  std::size_t size() const { return sizes_.size(); }
  bool empty() const { return sizes_.empty(); }
  uint64_t volume() const {
    return std::accumulate(sizes_.begin(), sizes_.end(), uint64_t{1},
                           [](uint64_t a, uint64_t b) { return a * b; });
  }
  auto begin() const { return sizes_.begin(); }
  auto end() const { return sizes_.end(); }
  auto cbegin() const { return sizes_.cbegin(); }
  auto cend() const { return sizes_.cend(); }
  bool operator==(const Shape &) const = default;

private:
  std::size_t place_of(int32_t d) const {
    const int64_t place = d < 0 ? d + static_cast<int64_t>(rank()) : d;
    TT_FATAL(place >= 0 && place < static_cast<int64_t>(rank()),
             "a shape of {} dimensions has none numbered {}", rank(), d);
    return static_cast<std::size_t>(place);
  }
  Container sizes_;
};

} // namespace tt::tt_metal
