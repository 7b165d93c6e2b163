// Shapes of meshes, and coordinates in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <tt-metalium/assert.hpp>

namespace tt::tt_metal::distributed {

namespace detail {
inline std::string list(std::span<const uint32_t> values) {
  std::string text;
  for (uint32_t v : values) text += (text.empty() ? "" : ", ") + std::to_string(v);
  return "[" + text + "]";
}
} // namespace detail

class MeshShape {
public:
  explicit MeshShape(uint32_t n) : size_{n} {}
  MeshShape(uint32_t rows, uint32_t cols) : size_{rows, cols} {}
  MeshShape(uint32_t planes, uint32_t rows, uint32_t cols) : size_{planes, rows, cols} {}
  explicit MeshShape(std::span<const uint32_t> size) : size_(size.begin(), size.end()) {}
  explicit MeshShape(std::initializer_list<uint32_t> size) : size_(size) {}
  std::size_t dims() const { return size_.size(); }
  uint32_t operator[](int32_t dim) const {
    return size_.at(dim < 0 ? size_.size() + static_cast<std::size_t>(dim)
                            : static_cast<std::size_t>(dim));
  }
  std::size_t mesh_size() const {
    std::size_t n = 1;
    for (uint32_t d : size_) n *= d;
    return n;
  }
  // Devices between two whose places differ by one in this dimension.
  std::size_t get_stride(std::size_t dim) const {
    std::size_t n = 1;
    for (std::size_t d = dim + 1; d < size_.size(); ++d) n *= size_[d];
    return n;
  }
  bool is_line_topology() const {
    return std::size_t(
               std::count_if(size_.begin(), size_.end(), [](uint32_t d) { return d != 1; })) <= 1;
  }
  std::string str() const { return "MeshShape(" + detail::list(size_) + ")"; }
  bool operator==(const MeshShape &) const = default;

private:
  std::vector<uint32_t> size_;
};

class MeshCoordinate {
public:
  explicit MeshCoordinate(uint32_t at) : at_{at} {}
  MeshCoordinate(uint32_t row, uint32_t col) : at_{row, col} {}
  MeshCoordinate(uint32_t plane, uint32_t row, uint32_t col) : at_{plane, row, col} {}
  explicit MeshCoordinate(std::span<const uint32_t> at) : at_(at.begin(), at.end()) {}
  static MeshCoordinate zero_coordinate(std::size_t dims) {
    return MeshCoordinate(std::vector<uint32_t>(dims));
  }
  std::size_t dims() const { return at_.size(); }
  std::span<const uint32_t> coords() const { return at_; }
  uint32_t operator[](int32_t dim) const { return at_.at(index(dim)); }
  uint32_t &operator[](int32_t dim) { return at_.at(index(dim)); }
  // Row by row.
  std::size_t to_linear_index(const MeshShape &shape) const {
    std::size_t n = 0;
    TT_FATAL(shape.dims() == dims(), "a coordinate {} in a mesh of {}", str(), shape.str());
    for (std::size_t d = 0; d < dims(); ++d) {
      const int32_t dim = static_cast<int32_t>(d);
      TT_FATAL(at_[d] < shape[dim], "coordinate {} is outside of the mesh, {}", str(), shape.str());
      n = n * shape[dim] + at_[d];
    }
    return n;
  }
  std::string str() const { return "MeshCoordinate(" + detail::list(at_) + ")"; }
  bool operator==(const MeshCoordinate &) const = default;
  auto operator<=>(const MeshCoordinate &) const = default;

private:
  std::size_t index(int32_t dim) const {
    return dim < 0 ? at_.size() + static_cast<std::size_t>(dim) : static_cast<std::size_t>(dim);
  }
  std::vector<uint32_t> at_;
};

// A box of a mesh, with both of its corners.
class MeshCoordinateRange {
public:
  MeshCoordinateRange(const MeshCoordinate &start, const MeshCoordinate &end)
      : start_(start), end_(end) {
    TT_FATAL(start.dims() == end.dims(), "a range from {} to {}", start.str(), end.str());
    for (std::size_t d = 0; d < dims(); ++d)
      TT_FATAL(start.coords()[d] <= end.coords()[d], "a range from {} to {}", start.str(),
               end.str());
  }
  explicit MeshCoordinateRange(const MeshShape &shape)
      : start_(MeshCoordinate::zero_coordinate(shape.dims())), end_(start_) {
    for (std::size_t d = 0; d < dims(); ++d) end_[int32_t(d)] = shape[int32_t(d)] - 1;
  }
  explicit MeshCoordinateRange(const MeshCoordinate &at) : start_(at), end_(at) {}
  std::size_t dims() const { return start_.dims(); }
  const MeshCoordinate &start_coord() const { return start_; }
  const MeshCoordinate &end_coord() const { return end_; }
  MeshShape shape() const {
    std::vector<uint32_t> size;
    for (std::size_t d = 0; d < dims(); ++d)
      size.push_back(end_.coords()[d] - start_.coords()[d] + 1);
    return MeshShape(std::span<const uint32_t>(size));
  }
  bool contains(const MeshCoordinate &c) const {
    for (std::size_t d = 0; d < dims(); ++d)
      if (c.coords()[d] < start_.coords()[d] || c.coords()[d] > end_.coords()[d]) return false;
    return c.dims() == dims();
  }
  bool contains(const MeshCoordinateRange &o) const {
    return contains(o.start_) && contains(o.end_);
  }
  bool intersects(const MeshCoordinateRange &o) const {
    for (std::size_t d = 0; d < dims(); ++d)
      if (o.end_.coords()[d] < start_.coords()[d] || o.start_.coords()[d] > end_.coords()[d])
        return false;
    return true;
  }
  bool operator==(const MeshCoordinateRange &) const = default;
  bool operator<(const MeshCoordinateRange &o) const {
    return start_ != o.start_ ? start_ < o.start_ : end_ < o.end_;
  }

  // Row by row.
  class Iterator {
  public:
    Iterator(const MeshCoordinateRange *range, std::size_t n)
        : range_(range), n_(n), at_(range->start_) {
      place();
    }
    const MeshCoordinate &operator*() const { return at_; }
    const MeshCoordinate *operator->() const { return &at_; }
    Iterator &operator++() {
      ++n_;
      place();
      return *this;
    }
    bool operator==(const Iterator &o) const { return n_ == o.n_; }

  private:
    void place() {
      const MeshShape size = range_->shape();
      std::size_t rest = n_;
      for (int32_t d = static_cast<int32_t>(size.dims()); d-- > 0; rest /= size[d])
        at_[d] = range_->start_[d] + static_cast<uint32_t>(rest % size[d]);
    }
    const MeshCoordinateRange *range_;
    std::size_t n_;
    MeshCoordinate at_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, shape().mesh_size()}; }

private:
  MeshCoordinate start_, end_;
};

inline std::ostream &operator<<(std::ostream &out, const MeshShape &s) { return out << s.str(); }
inline std::ostream &operator<<(std::ostream &out, const MeshCoordinate &c) {
  return out << c.str();
}

// A value for each device of a mesh.
template <typename T> class MeshContainer {
public:
  MeshContainer(const MeshShape &shape, T value)
      : shape_(shape), values_(shape.mesh_size(), value) {}
  const MeshShape &shape() const { return shape_; }
  T &at(const MeshCoordinate &c) { return values_.at(c.to_linear_index(shape_)); }
  const T &at(const MeshCoordinate &c) const { return values_.at(c.to_linear_index(shape_)); }
  const std::vector<T> &values() const { return values_; }

private:
  MeshShape shape_;
  std::vector<T> values_;
};

} // namespace tt::tt_metal::distributed

template <> struct std::hash<tt::tt_metal::distributed::MeshCoordinate> {
  std::size_t operator()(const tt::tt_metal::distributed::MeshCoordinate &c) const {
    std::size_t h = 0;
    for (uint32_t at : c.coords()) h = h * 31 + at;
    return h;
  }
};

#ifdef TTEMU_FMT
template <>
struct fmt::formatter<tt::tt_metal::distributed::MeshShape>
    : ttemu::text_formatter<tt::tt_metal::distributed::MeshShape> {};
template <>
struct fmt::formatter<tt::tt_metal::distributed::MeshCoordinate>
    : ttemu::text_formatter<tt::tt_metal::distributed::MeshCoordinate> {};
#endif
