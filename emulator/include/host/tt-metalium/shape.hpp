// Sizes of a tensor, outermost first.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/math.hpp>

namespace tt::tt_metal {

class Shape {
public:
  using Container = std::vector<uint32_t>;
  Shape() = default;
  explicit Shape(std::initializer_list<uint32_t> sizes) : sizes_(sizes) {}
  explicit Shape(Container sizes) : sizes_(std::move(sizes)) {}
  template <std::size_t N>
  explicit Shape(const std::array<uint32_t, N> &sizes) : sizes_(sizes.begin(), sizes.end()) {}
  explicit Shape(std::span<const uint32_t> sizes) : sizes_(sizes.begin(), sizes.end()) {}
  // Negative dimensions count from the last, which is -1; before the first of four they are 1.
  uint32_t operator[](int32_t d) const {
    const bool before = d < 0 && d >= -4 && std::size_t(-d) > rank();
    return before ? 1 : sizes_[place_of(d)];
  }
  uint32_t &operator[](int32_t d) { return sizes_[place_of(d)]; }
  std::size_t rank() const { return sizes_.size(); }
  std::size_t size() const { return sizes_.size(); }
  bool empty() const { return sizes_.empty(); }
  uint64_t volume() const {
    return std::accumulate(sizes_.begin(), sizes_.end(), uint64_t{1},
                           [](uint64_t a, uint64_t b) { return a * b; });
  }
  std::span<const uint32_t> view() const { return sizes_; }
  uint32_t get_normalized_index(int64_t d) const { return uint32_t(place_of(int32_t(d))); }
  // The same sizes with another number of dimensions: those that come or go are 1.
  Shape to_rank(std::size_t rank) const {
    Container sizes(rank, 1);
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const uint32_t size = sizes_[sizes_.size() - 1 - i];
      if (i < rank) sizes[rank - 1 - i] = size;
      else TT_FATAL(size == 1, "a shape with a size of {} there has no fewer dimensions", size);
    }
    return Shape(std::move(sizes));
  }
  std::array<uint32_t, 4> to_array_4D() const {
    TT_FATAL(rank() == 4, "a shape of {} dimensions, not of 4", rank());
    return {sizes_[0], sizes_[1], sizes_[2], sizes_[3]};
  }
  auto begin() const { return sizes_.begin(); }
  auto end() const { return sizes_.end(); }
  auto cbegin() const { return sizes_.cbegin(); }
  auto cend() const { return sizes_.cend(); }
  bool operator==(const Shape &) const = default;
  friend std::ostream &operator<<(std::ostream &out, const Shape &shape) {
    out << "Shape([";
    for (std::size_t i = 0; i < shape.rank(); ++i) out << (i ? ", " : "") << shape.sizes_[i];
    return out << "])";
  }

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
