// Splits units of work over cores.
#pragma once

#include <tt-metalium/host_api.hpp>

#include <tuple>

namespace tt::tt_metal {

// The first `n` cores of a grid, row by row or column by column, as rectangles.
inline CoreRangeSet num_cores_to_corerangeset(uint32_t n, CoreCoord grid, bool row_wise = false,
                                              uint32_t skip = 0) {
  std::vector<CoreRange> ranges;
  const std::size_t width = row_wise ? grid.x : grid.y;
  for (uint32_t i = skip; i < skip + n;) {
    const std::size_t line = i / width, at = i % width;
    const std::size_t run = std::size_t(skip + n - i) < width - at ? skip + n - i : width - at;
    const std::size_t last = at + run - 1;
    ranges.push_back(row_wise ? CoreRange({at, line}, {last, line})
                              : CoreRange({line, at}, {line, last}));
    i += static_cast<uint32_t>(run);
  }
  return CoreRangeSet(std::move(ranges));
}

// The largest divisor up to `most` that is neither 5 nor 7; and the largest of all.
inline int find_max_divisor(uint32_t value, uint32_t most) {
  uint32_t d = most;
  while (d > 1 && (value % d != 0 || d == 5 || d == 7)) --d;
  return static_cast<int>(d);
}
inline int find_max_block_size(uint32_t value, uint32_t most = 8) {
  uint32_t d = most;
  while (d > 1 && value % d != 0) --d;
  return static_cast<int>(d);
}

// How many cores, all of them, those with more and those with less work, and how much each has.
inline std::tuple<uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet, uint32_t, uint32_t>
split_work_to_cores(CoreCoord grid, uint32_t units, bool row_wise = false) {
  const uint32_t all = static_cast<uint32_t>(grid.x * grid.y), n = units < all ? units : all;
  if (n == 0) return {0, CoreRangeSet(), CoreRangeSet(), CoreRangeSet(), 0, 0};
  const uint32_t each = units / n, extra = units % n;
  const CoreRangeSet cores = num_cores_to_corerangeset(n, grid, row_wise);
  if (extra == 0) return {n, cores, cores, CoreRangeSet(), each, 0};
  return {n,
          cores,
          num_cores_to_corerangeset(extra, grid, row_wise),
          num_cores_to_corerangeset(n - extra, grid, row_wise, extra),
          each + 1,
          each};
}

// The cores of a set, in its order, instead of a grid.
inline std::tuple<uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet, uint32_t, uint32_t>
split_work_to_cores(const CoreRangeSet &set, uint32_t units, bool row_wise = false) {
  const std::vector<CoreCoord> cores = corerange_to_cores(set, std::nullopt, row_wise);
  const uint32_t all = static_cast<uint32_t>(cores.size()), n = units < all ? units : all;
  if (n == 0) return {0, CoreRangeSet(), CoreRangeSet(), CoreRangeSet(), 0, 0};
  const uint32_t each = units / n, extra = units % n;
  std::vector<CoreRange> more, less, used;
  for (uint32_t i = 0; i < n; ++i) {
    used.push_back(cores[i]);
    (i < extra || extra == 0 ? more : less).push_back(cores[i]);
  }
  return {n,
          CoreRangeSet(used),
          CoreRangeSet(more),
          CoreRangeSet(less),
          extra ? each + 1 : each,
          extra ? each : 0};
}

} // namespace tt::tt_metal
