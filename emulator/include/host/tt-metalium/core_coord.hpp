// Cores, rectangles of cores, and sets of rectangles.
#pragma once

#include <tt_stl/reflection.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <umd/device/types/xy_pair.hpp>

namespace tt::tt_metal {

using CoreCoord = tt_xy_pair;

class CoreRangeSet;
struct CoreRange {
  class CoreIterator;
#if defined(TTEMU_API) && TTEMU_API < 202603
  // Until the middle of 2024 the corners were called start and end; end() is where a loop ends.
  struct EndCoord : CoreCoord {
    CoreIterator operator()() const;
    EndCoord &operator=(const CoreCoord &c) { return x = c.x, y = c.y, *this; }
  };
  union {
    CoreCoord start_coord, start;
  };
  union {
    CoreCoord end_coord;
    EndCoord end;
  };
#else
  CoreCoord start_coord, end_coord;
#endif
  CoreRange(const CoreCoord &point) : start_coord(point), end_coord(point) {}
  CoreRange(const CoreCoord &start, const CoreCoord &end) : start_coord(start), end_coord(end) {
    TT_FATAL(start.x <= end.x && start.y <= end.y, "a range of cores from {} to {}", start, end);
  }
  CoreCoord grid_size() const {
    return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1};
  }
  std::size_t size() const { return grid_size().x * grid_size().y; }
  bool contains(const CoreCoord &c) const {
    return c.x >= start_coord.x && c.x <= end_coord.x && c.y >= start_coord.y && c.y <= end_coord.y;
  }
  bool contains(const CoreRange &o) const {
    return contains(o.start_coord) && contains(o.end_coord);
  }
  bool contains(const CoreRangeSet &set) const;
  // Side by side, with at least one core next to one of the other.
  bool adjacent(const CoreRange &o) const {
    const std::size_t x0 = std::max(start_coord.x, o.start_coord.x),
                      x1 = std::min(end_coord.x, o.end_coord.x),
                      y0 = std::max(start_coord.y, o.start_coord.y),
                      y1 = std::min(end_coord.y, o.end_coord.y);
    return (x1 + 1 == x0 && y0 <= y1) || (y1 + 1 == y0 && x0 <= x1);
  }
  // The rectangle that both make, if they do.
  std::optional<CoreRange> merge(const CoreRange &o) const {
    const bool columns = start_coord.x == o.start_coord.x && end_coord.x == o.end_coord.x,
               rows = start_coord.y == o.start_coord.y && end_coord.y == o.end_coord.y;
    if (!(columns || rows) || !(intersects(o) || adjacent(o))) return std::nullopt;
    return CoreRange(
        {std::min(start_coord.x, o.start_coord.x), std::min(start_coord.y, o.start_coord.y)},
        {std::max(end_coord.x, o.end_coord.x), std::max(end_coord.y, o.end_coord.y)});
  }
  std::optional<CoreRange> intersection(const CoreRange &o) const {
    const CoreCoord low(std::max(start_coord.x, o.start_coord.x),
                        std::max(start_coord.y, o.start_coord.y)),
        high(std::min(end_coord.x, o.end_coord.x), std::min(end_coord.y, o.end_coord.y));
    if (low.x > high.x || low.y > high.y) return std::nullopt;
    return CoreRange(low, high);
  }
  bool intersects(const CoreRange &o) const { return intersection(o).has_value(); }
  std::string str() const { return "[" + start_coord.str() + " - " + end_coord.str() + "]"; }

  // Row by row.
  class CoreIterator {
  public:
    CoreIterator(const CoreCoord &at, const CoreRange &range) : at_(at), range_(&range) {}
    CoreCoord &operator*() { return at_; }
    CoreIterator &operator++() {
      if (++at_.x > range_->end_coord.x) at_ = {range_->start_coord.x, at_.y + 1};
      return *this;
    }
    bool operator==(const CoreIterator &o) const { return at_ == o.at_; }

  private:
    CoreCoord at_;
    const CoreRange *range_;
  };
  CoreIterator begin() const { return {start_coord, *this}; }
#if !defined(TTEMU_API) || TTEMU_API >= 202603
  CoreIterator end() const { return {{start_coord.x, end_coord.y + 1}, *this}; }
#endif
};
#if defined(TTEMU_API) && TTEMU_API < 202603
// The other corner of its range stands before it.
inline CoreRange::CoreIterator CoreRange::EndCoord::operator()() const {
  const auto &range =
      *reinterpret_cast<const CoreRange *>(static_cast<const CoreCoord *>(this) - 1);
  return {{range.start_coord.x, y + 1}, range};
}
#endif
inline bool operator==(const CoreRange &a, const CoreRange &b) {
  return a.start_coord == b.start_coord && a.end_coord == b.end_coord;
}
inline bool operator<(const CoreRange &a, const CoreRange &b) {
  return a.start_coord < b.start_coord ||
         (a.start_coord == b.start_coord && a.end_coord < b.end_coord);
}

#if defined(TTEMU_API) && TTEMU_API < 202603
// In 2024 the ranges of a set were a set.
struct CoreRangeList : std::vector<CoreRange> {
  using std::vector<CoreRange>::vector;
  CoreRangeList(std::vector<CoreRange> &&ranges) : std::vector<CoreRange>(std::move(ranges)) {}
  operator std::set<CoreRange>() const { return {begin(), end()}; }
};
#else
using CoreRangeList = std::vector<CoreRange>;
#endif

class CoreRangeSet {
public:
  CoreRangeSet() = default;
  CoreRangeSet(const CoreRange &range) : ranges_{range} {}
  CoreRangeSet(std::vector<CoreRange> &&ranges) : ranges_(std::move(ranges)) { ask_apart(); }
  CoreRangeSet(const std::set<CoreRange> &ranges) : ranges_(ranges.begin(), ranges.end()) {
    ask_apart();
  }
  CoreRangeSet(std::span<const CoreRange> ranges) : ranges_(ranges.begin(), ranges.end()) {
    ask_apart();
  }
  CoreRangeSet(std::span<const CoreCoord> cores) : ranges_(cores.begin(), cores.end()) {
    ask_apart();
  }
#if defined(TTEMU_API) && TTEMU_API < 202603
  // In 2024 it was made from a set alone, which braces could mean, too.
  CoreRangeSet(std::initializer_list<CoreRange> ranges) : ranges_(ranges) { ask_apart(); }
#endif
  const CoreRangeList &ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  std::size_t size() const { return ranges_.size(); }
  uint32_t num_cores() const {
    std::size_t n = 0;
    for (const CoreRange &r : ranges_) n += r.size();
    return static_cast<uint32_t>(n);
  }
  bool contains(const CoreCoord &core) const {
    for (const CoreRange &r : ranges_)
      if (r.contains(core)) return true;
    return false;
  }
#if defined(TTEMU_API) && TTEMU_API < 202603
  bool core_coord_in_core_ranges(const CoreCoord &core) const { return contains(core); }
#endif
  bool contains(const CoreRange &range) const {
    for (CoreCoord core : range)
      if (!contains(core)) return false;
    return true;
  }
  bool contains(const CoreRangeSet &other) const {
    for (const CoreRange &r : other.ranges_)
      if (!contains(r)) return false;
    return true;
  }
  CoreRangeSet intersection(const CoreRangeSet &other) const {
    std::vector<CoreRange> both;
    for (const CoreRange &a : ranges_)
      for (const CoreRange &b : other.ranges_)
        if (auto common = a.intersection(b)) both.push_back(*common);
    return CoreRangeSet(std::move(both));
  }
  bool intersects(const CoreRangeSet &other) const { return !intersection(other).empty(); }
  bool intersects(const CoreRange &other) const { return intersects(CoreRangeSet(other)); }
  bool intersects(const CoreCoord &core) const { return contains(core); }
  // The same cores, with neighbours joined as long as they make rectangles.
  CoreRangeSet merge_ranges() const {
    std::vector<CoreRange> all = ranges_;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < all.size(); ++k)
        if (const auto both = i != k ? all[i].merge(all[k]) : std::nullopt) {
          all[i] = *both, all.erase(all.begin() + std::ptrdiff_t(k));
          i = 0, k = std::size_t(-1);
        }
    return CoreRangeSet(std::move(all));
  }
  CoreRange bounding_box() const {
    TT_FATAL(!ranges_.empty(), "an empty set of cores has no bounding box");
    CoreRange box = ranges_.front();
    for (const CoreRange &r : ranges_) {
      box.start_coord = {std::min(box.start_coord.x, r.start_coord.x),
                         std::min(box.start_coord.y, r.start_coord.y)};
      box.end_coord = {std::max(box.end_coord.x, r.end_coord.x),
                       std::max(box.end_coord.y, r.end_coord.y)};
    }
    return box;
  }
  // All cores of both, each once.
  template <typename Ranges> CoreRangeSet merge(const Ranges &other) const {
    CoreRangeSet all = *this;
    if constexpr (requires { other.ranges(); }) all.add(other.ranges());
    else all.add(other);
    return all;
  }
#if defined(TTEMU_API) && TTEMU_API < 202603
  CoreRangeSet merge(const std::set<CoreRange> &other) const { return merge(CoreRangeSet(other)); }
#endif
  CoreRangeSet subtract(const CoreRangeSet &other) const {
    std::vector<CoreRange> left;
    for (const CoreRange &r : ranges_)
      for (CoreCoord core : r)
        if (!other.contains(core)) left.push_back(core);
    return CoreRangeSet(std::move(left));
  }
  std::string str() const {
    std::string text = "{";
    for (const CoreRange &r : ranges_) text += (text.size() > 1 ? ", " : "") + r.str();
    return text + "}";
  }
  bool operator==(const CoreRangeSet &other) const {
    return num_cores() == other.num_cores() && contains(other);
  }

private:
  // A core is in a set once: a kernel would be put on it twice.
  void ask_apart() const {
    for (std::size_t i = 0; i < ranges_.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        TT_FATAL(!ranges_[i].intersects(ranges_[k]), "a set of cores has {} and {}, which overlap",
                 ranges_[k].str(), ranges_[i].str());
  }
  template <typename List> void add(const List &list) {
    for (const CoreRange &r : list) {
      if (!intersects(CoreRangeSet(r))) {
        ranges_.push_back(r);
        continue;
      }
      for (CoreCoord core : r)
        if (!contains(core)) ranges_.push_back(core);
    }
  }
  CoreRangeList ranges_;
};

inline bool CoreRange::contains(const CoreRangeSet &set) const {
  for (const CoreRange &r : set.ranges())
    if (!contains(r)) return false;
  return true;
}

inline std::ostream &operator<<(std::ostream &out, const CoreRange &r) { return out << r.str(); }
inline std::ostream &operator<<(std::ostream &out, const CoreRangeSet &s) { return out << s.str(); }

inline std::vector<CoreCoord> grid_to_cores(CoreCoord start, CoreCoord end, bool row_wise = false) {
  std::vector<CoreCoord> cores;
  const std::size_t n = (end.x - start.x + 1) * (end.y - start.y + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t line = row_wise ? end.x - start.x + 1 : end.y - start.y + 1;
    cores.push_back(row_wise ? CoreCoord(start.x + i % line, start.y + i / line)
                             : CoreCoord(start.x + i / line, start.y + i % line));
  }
  return cores;
}
inline std::vector<CoreCoord> grid_to_cores(uint32_t n, uint32_t width, uint32_t height,
                                            bool row_wise = false) {
  std::vector<CoreCoord> cores = grid_to_cores({0, 0}, {width - 1, height - 1}, row_wise);
  cores.resize(std::min<std::size_t>(cores.size(), n));
  return cores;
}
inline std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet &set,
                                                 std::optional<uint32_t> most = std::nullopt,
                                                 bool row_wise = false) {
  std::vector<CoreCoord> all;
  for (const CoreRange &r : set.ranges())
    for (const CoreCoord &core : grid_to_cores(r.start_coord, r.end_coord, row_wise))
      all.push_back(core);
  if (most && *most < all.size()) all.resize(*most);
  return all;
}

// All cores, those that are used first.
inline std::vector<CoreCoord>
grid_to_cores_with_noop(const CoreRangeSet &used, const CoreRangeSet &all, bool row_wise = false) {
  std::vector<CoreCoord> cores = corerange_to_cores(used, std::nullopt, row_wise);
  for (const CoreCoord &core : corerange_to_cores(all.subtract(used), std::nullopt, row_wise))
    cores.push_back(core);
  return cores;
}
inline std::vector<CoreCoord> grid_to_cores_with_noop(uint32_t last_x, uint32_t last_y,
                                                      uint32_t width, uint32_t height,
                                                      bool row_wise = false) {
  return grid_to_cores_with_noop(CoreRange({0, 0}, {last_x, last_y}),
                                 CoreRange({0, 0}, {width - 1, height - 1}), row_wise);
}
// Cores `first` to `last` of the set, a range each.
inline CoreRangeSet select_from_corerangeset(const CoreRangeSet &set, uint32_t first, uint32_t last,
                                             bool row_wise = false) {
  const std::vector<CoreCoord> all = corerange_to_cores(set, last + 1, row_wise);
  TT_FATAL(first <= last && last < all.size(), "cores {} to {} of {}", first, last, all.size());
  return CoreRangeSet(std::vector<CoreRange>(all.begin() + first, all.end()));
}
// The first rectangle of x by y cores in one of its ranges.
inline std::optional<CoreRange> select_contiguous_range_from_corerangeset(const CoreRangeSet &set,
                                                                          uint32_t x, uint32_t y) {
  for (const CoreRange &r : set.ranges())
    if (r.grid_size().x >= x && r.grid_size().y >= y)
      return CoreRange(r.start_coord, {r.start_coord.x + x - 1, r.start_coord.y + y - 1});
  return std::nullopt;
}

// How functions take cores.
namespace detail {
using AnyCores = std::variant<CoreCoord, CoreRange, CoreRangeSet>;
inline CoreRangeSet cores_of(const AnyCores &cores) {
  if (const auto *core = std::get_if<CoreCoord>(&cores)) return CoreRangeSet(CoreRange(*core));
  if (const auto *range = std::get_if<CoreRange>(&cores)) return CoreRangeSet(*range);
  return std::get<CoreRangeSet>(cores);
}
} // namespace detail

} // namespace tt::tt_metal

template <> struct std::hash<tt::tt_metal::CoreRange> {
  std::size_t operator()(const tt::tt_metal::CoreRange &r) const {
    const std::hash<tt::tt_metal::CoreCoord> of;
    return of(r.start_coord) * 31 + of(r.end_coord);
  }
};

template <> struct std::hash<tt::tt_metal::CoreRangeSet> {
  std::size_t operator()(const tt::tt_metal::CoreRangeSet &set) const {
    std::size_t h = 0;
    for (const auto &r : set.ranges()) h = h * 31 + std::hash<tt::tt_metal::CoreRange>()(r);
    return h;
  }
};

#ifdef TTEMU_FMT
template <>
struct fmt::formatter<tt::tt_metal::CoreCoord> : ttemu::text_formatter<tt::tt_metal::CoreCoord> {};
template <>
struct fmt::formatter<tt::tt_metal::CoreRange> : ttemu::text_formatter<tt::tt_metal::CoreRange> {};
template <>
struct fmt::formatter<tt::tt_metal::CoreRangeSet>
    : ttemu::text_formatter<tt::tt_metal::CoreRangeSet> {};
#endif

using CoreCoord = tt::tt_metal::CoreCoord;
using CoreRange = tt::tt_metal::CoreRange;
using CoreRangeSet = tt::tt_metal::CoreRangeSet;
// The same, for programs that do not open the namespace; the other form wins where both are seen.
template <bool tLast = true>
std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet &set,
                                          std::optional<uint32_t> most = std::nullopt,
                                          bool row_wise = false) {
  return tt::tt_metal::corerange_to_cores(set, most, row_wise);
}
template <bool tLast = true>
std::vector<CoreCoord> grid_to_cores(uint32_t n, uint32_t width, uint32_t height,
                                     bool row_wise = false) {
  return tt::tt_metal::grid_to_cores(n, width, height, row_wise);
}
template <bool tLast = true>
std::vector<CoreCoord> grid_to_cores(CoreCoord start, CoreCoord end, bool row_wise = false) {
  return tt::tt_metal::grid_to_cores(start, end, row_wise);
}
