// Cores, rectangles of cores, and sets of rectangles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tt::tt_metal {

struct CoreCoord {
  std::size_t x = 0, y = 0;
  constexpr CoreCoord() = default;
  constexpr CoreCoord(std::size_t x_, std::size_t y_) : x(x_), y(y_) {}
  bool operator==(const CoreCoord &other) const { return x == other.x && y == other.y; }
  bool operator<(const CoreCoord &other) const { return y != other.y ? y < other.y : x < other.x; }
  std::string str() const { return "(x=" + std::to_string(x) + ",y=" + std::to_string(y) + ")"; }
};

struct CoreRange {
  CoreCoord start_coord, end_coord;
  CoreRange(CoreCoord point) : start_coord(point), end_coord(point) {}
  CoreRange(CoreCoord start, CoreCoord end) : start_coord(start), end_coord(end) {}
  CoreCoord grid_size() const {
    return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1};
  }
  std::size_t size() const { return grid_size().x * grid_size().y; }
  bool contains(const CoreCoord &c) const {
    return c.x >= start_coord.x && c.x <= end_coord.x && c.y >= start_coord.y && c.y <= end_coord.y;
  }
  bool operator==(const CoreRange &o) const {
    return start_coord == o.start_coord && end_coord == o.end_coord;
  }
  bool operator<(const CoreRange &o) const {
    return start_coord < o.start_coord || (start_coord == o.start_coord && end_coord < o.end_coord);
  }
};

class CoreRangeSet {
public:
  CoreRangeSet() = default;
  CoreRangeSet(CoreRange range) : ranges_{range} {}
  explicit CoreRangeSet(std::vector<CoreRange> ranges) : ranges_(std::move(ranges)) {}
  explicit CoreRangeSet(const std::set<CoreRange> &ranges)
      : ranges_(ranges.begin(), ranges.end()) {}
  const std::vector<CoreRange> &ranges() const { return ranges_; }
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
  CoreRange bounding_box() const {
    CoreRange box = ranges_.front();
    for (const CoreRange &r : ranges_) {
      box.start_coord = {std::min(box.start_coord.x, r.start_coord.x),
                         std::min(box.start_coord.y, r.start_coord.y)};
      box.end_coord = {std::max(box.end_coord.x, r.end_coord.x),
                       std::max(box.end_coord.y, r.end_coord.y)};
    }
    return box;
  }
  CoreRangeSet merge(const CoreRangeSet &other) const {
    std::vector<CoreRange> all = ranges_;
    all.insert(all.end(), other.ranges_.begin(), other.ranges_.end());
    return CoreRangeSet(std::move(all));
  }
  bool operator==(const CoreRangeSet &other) const { return ranges_ == other.ranges_; }

private:
  std::vector<CoreRange> ranges_;
};

// A core, a range of cores or a set of ranges, as functions take them.
class CoreSpec : public CoreRangeSet {
public:
  CoreSpec(CoreCoord core) : CoreRangeSet(CoreRange(core)) {}
  CoreSpec(CoreRange range) : CoreRangeSet(range) {}
  CoreSpec(CoreRangeSet set) : CoreRangeSet(std::move(set)) {}
};

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

} // namespace tt::tt_metal

using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
