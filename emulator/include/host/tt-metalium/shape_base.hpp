// Sizes by dimension, outermost first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt_stl/small_vector.hpp>

namespace tt::tt_metal {

class ShapeBase {
public:
  using Container = ttsl::SmallVector<uint32_t>;
  ShapeBase() = default;
  explicit ShapeBase(std::initializer_list<uint32_t> sizes) : sizes_(sizes) {}
  explicit ShapeBase(Container sizes) : sizes_(std::move(sizes)) {}
  template <std::size_t N>
  explicit ShapeBase(const std::array<uint32_t, N> &sizes) : sizes_(sizes.begin(), sizes.end()) {}
  explicit ShapeBase(std::span<const uint32_t> sizes) : sizes_(sizes.begin(), sizes.end()) {}
  // Negative dimensions count from the last, which is -1; before the first of four they are 1.
  uint32_t operator[](int32_t d) const {
    const bool before = d < 0 && d >= -4 && std::size_t(-d) > sizes_.size();
    return before ? 1 : sizes_[place_of(d)];
  }
  uint32_t &operator[](int32_t d) { return sizes_[place_of(d)]; }
  std::size_t size() const { return sizes_.size(); }
  bool empty() const { return sizes_.empty(); }
  std::span<const uint32_t> view() const { return sizes_; }
  auto begin() const { return sizes_.begin(); }
  auto end() const { return sizes_.end(); }
  auto cbegin() const { return sizes_.cbegin(); }
  auto cend() const { return sizes_.cend(); }
  bool operator==(const ShapeBase &) const = default;
  bool operator==(const Container &sizes) const { return sizes_ == sizes; }
  template <std::size_t N> bool operator==(const std::array<uint32_t, N> &sizes) const {
    return std::ranges::equal(sizes_, sizes);
  }

protected:
  std::size_t place_of(int32_t d) const {
    const int64_t place = d < 0 ? d + static_cast<int64_t>(size()) : d;
    TT_FATAL(place >= 0 && place < static_cast<int64_t>(size()),
             "a shape of {} dimensions has none numbered {}", size(), d);
    return static_cast<std::size_t>(place);
  }
  Container sizes_;
};

} // namespace tt::tt_metal
