// Sizes of a tensor, outermost first.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <utility>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/math.hpp>
#include <tt-metalium/shape_base.hpp>

namespace tt::tt_metal {

class Shape : public ShapeBase {
public:
  using ShapeBase::ShapeBase;
  std::size_t rank() const { return sizes_.size(); }
  uint64_t volume() const {
    return std::accumulate(sizes_.begin(), sizes_.end(), uint64_t{1},
                           [](uint64_t a, uint64_t b) { return a * b; });
  }
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
  friend std::ostream &operator<<(std::ostream &out, const Shape &shape) {
    out << "Shape([";
    for (std::size_t i = 0; i < shape.rank(); ++i) out << (i ? ", " : "") << shape.sizes_[i];
    return out << "])";
  }
};

} // namespace tt::tt_metal
