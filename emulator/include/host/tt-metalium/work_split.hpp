// Splits units of work over cores.
#pragma once

#include <tt-metalium/host_api.hpp>

#include <set>
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

// The same from a core on.
inline CoreRangeSet num_cores_to_corerangeset(CoreCoord start, uint32_t n, CoreCoord grid,
                                              bool row_wise = false) {
  const std::size_t skip = row_wise ? start.y * grid.x + start.x : start.x * grid.y + start.y;
  return num_cores_to_corerangeset(n, grid, row_wise, static_cast<uint32_t>(skip));
}

// The most cores, up to a number, that have as many tiles each; and how many that are.
inline std::tuple<uint32_t, uint32_t>
get_max_cores_divisible_by_tiles_per_core_tiles(const uint32_t &tiles, const uint32_t &most,
                                                bool even = false) {
  uint32_t n = 1;
  for (uint32_t i = 2; i <= most; ++i)
    if (tiles % i == 0) n = i;
  if (even && n > 1) n -= n % 2;
  return {n, (tiles + n - 1) / n};
}

// How many reads of up to `most` bytes, of whole sticks and alike, bring as much.
inline uint32_t merge_num_sticks_to_read(uint32_t sticks, uint32_t bytes, uint32_t most) {
  uint32_t n = sticks;
  for (uint32_t size = bytes; size != 0 && size <= most; size += bytes)
    if (sticks * bytes % size == 0) n = sticks * bytes / size;
  return n;
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

// Chunks of `multiple` units, dealt out core by core. The vendor's function deals out a last chunk
// whole, and what it has over a multiple once more to the next core; so does this one.
inline std::tuple<std::vector<uint32_t>, CoreRangeSet>
split_work_to_cores_even_multiples(const CoreCoord &grid, uint32_t units, uint32_t multiple,
                                   bool row_wise = false) {
  const uint32_t all = static_cast<uint32_t>(grid.x * grid.y), whole = units / multiple;
  const uint32_t n = whole < all ? whole : all, chunks = (units + multiple - 1) / multiple;
  TT_FATAL(n != 0, "{} units are less than one chunk of {}", units, multiple);
  std::vector<uint32_t> work(n);
  for (uint32_t i = 0; i < chunks; ++i) work[i % n] += multiple;
  work[chunks % n] += units % multiple;
  return {work, num_cores_to_corerangeset(n, grid, row_wise)};
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

#if defined(TTEMU_API) && TTEMU_API < 202603
// By their names of 2024.
inline std::set<CoreRange> num_cores_to_corerange_set(uint32_t n, CoreCoord grid,
                                                      bool row_wise = false) {
  const CoreRangeSet cores = num_cores_to_corerangeset(n, grid, row_wise);
  return {cores.ranges().begin(), cores.ranges().end()};
}
inline std::set<CoreRange> num_cores_to_corerange_set(CoreCoord start, uint32_t n, CoreCoord grid,
                                                      bool row_wise = false) {
  const CoreRangeSet cores = num_cores_to_corerangeset(start, n, grid, row_wise);
  return {cores.ranges().begin(), cores.ranges().end()};
}
inline CoreRangeSet num_cores_to_core_range_set(uint32_t n, CoreCoord grid, bool row_wise = false) {
  return num_cores_to_corerangeset(n, grid, row_wise);
}
#endif

} // namespace tt::tt_metal
