// How long programs took, as the vendor's profiler tells it, by the emulated device's clock. There
// is no firmware around kernels, and so the kernels' time is the only one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <tt-metalium/device_types.hpp>

#include "ttemu/host_calls.h"

namespace tt::tt_metal::experimental {

inline constexpr uint64_t INVALID_NUM_PROGRAM_EXECUTION_UID = 1ull << 63;

struct ProgramExecutionUID {
  uint64_t runtime_id = INVALID_NUM_PROGRAM_EXECUTION_UID;
  uint64_t trace_id = INVALID_NUM_PROGRAM_EXECUTION_UID;
  uint64_t trace_id_counter = INVALID_NUM_PROGRAM_EXECUTION_UID;
  auto operator<=>(const ProgramExecutionUID &) const = default;
};

struct ProgramSingleAnalysisResult {
  uint64_t start_timestamp = UINT64_MAX, end_timestamp = 0, duration = 0;
  auto operator<=>(const ProgramSingleAnalysisResult &) const = default;
};

struct ProgramAnalysisData {
  ProgramExecutionUID program_execution_uid;
  std::unordered_map<std::string, ProgramSingleAnalysisResult> program_analyses_results;
  uint32_t core_count = 0, num_available_cores = 0;
  bool operator==(const ProgramAnalysisData &) const = default;
  bool operator<(const ProgramAnalysisData &other) const {
    return program_execution_uid < other.program_execution_uid;
  }
};

// Edges of equal buckets, and how many lie in each, below the first and from the last one on.
struct DurationHistogram {
  uint64_t min_ns = 0, max_ns = 0;
  uint32_t num_buckets = 0;
  std::vector<uint64_t> bucket_edges_ns, bucket_counts;
  uint64_t underflow = 0, overflow = 0;
};

struct KernelDurationSummary {
  uint64_t count = 0, min_ns = 0, max_ns = 0;
  double avg_ns = 0.0;
  DurationHistogram histogram;
};

namespace detail {
inline uint64_t nanoseconds(uint64_t clk) { return clk * 1000 / ttemu_clock_mhz(); }

inline std::map<ChipId, std::set<ProgramAnalysisData>> perf_data(bool latest) {
  std::map<ChipId, std::set<ProgramAnalysisData>> all;
  const ttemu_ended *launches;
  const size_t n = ttemu_profile(latest, &launches);
  for (size_t i = 0; i < n; ++i) {
    const ttemu_ended &one = launches[i];
    ProgramAnalysisData data;
    data.program_execution_uid.runtime_id = one.number;
    data.core_count = one.cores;
    data.num_available_cores = ttemu_grid_x() * ttemu_grid_y();
    data.program_analyses_results["DEVICE KERNEL DURATION [ns]"] = {one.start, one.start + one.clk,
                                                                    nanoseconds(one.clk)};
    all[static_cast<ChipId>(one.device)].insert(std::move(data));
  }
  return all;
}

inline DurationHistogram histogram(const std::vector<uint64_t> &times, uint64_t from, uint64_t to,
                                   uint32_t buckets) {
  DurationHistogram h{.min_ns = from, .max_ns = to, .num_buckets = std::max(buckets, 1u)};
  const uint64_t width = std::max<uint64_t>((to - from + h.num_buckets - 1) / h.num_buckets, 1);
  h.bucket_counts.resize(h.num_buckets);
  for (uint32_t b = 0; b <= h.num_buckets; ++b) h.bucket_edges_ns.push_back(from + b * width);
  for (uint64_t time : times) {
    const uint64_t bucket = time < from ? 0 : (time - from) / width;
    if (time < from) ++h.underflow;
    else if (bucket < h.num_buckets) ++h.bucket_counts[bucket];
    else ++h.overflow;
  }
  return h;
}

inline std::map<ChipId, KernelDurationSummary> summary(bool latest, uint64_t from, uint64_t to,
                                                       uint32_t buckets) {
  std::map<ChipId, std::vector<uint64_t>> times;
  const ttemu_ended *launches;
  const size_t n = ttemu_profile(latest, &launches);
  for (size_t i = 0; i < n; ++i)
    times[static_cast<ChipId>(launches[i].device)].push_back(nanoseconds(launches[i].clk));
  std::map<ChipId, KernelDurationSummary> all;
  for (const auto &[chip, of_chip] : times) {
    const auto [least, most] = std::minmax_element(of_chip.begin(), of_chip.end());
    KernelDurationSummary s{.count = of_chip.size(), .min_ns = *least, .max_ns = *most};
    for (uint64_t time : of_chip) s.avg_ns += double(time) / double(of_chip.size());
    const bool given = to > from; // else from the shortest one to behind the longest one
    s.histogram = histogram(of_chip, given ? from : *least, given ? to : *most + 1, buckets);
    all.emplace(chip, std::move(s));
  }
  return all;
}
} // namespace detail

// Of what had ended when ReadMeshDeviceProfilerResults was called last, and not the time before.
inline std::map<ChipId, std::set<ProgramAnalysisData>> GetLatestProgramsPerfData() {
  return detail::perf_data(true);
}
inline std::map<ChipId, std::set<ProgramAnalysisData>> GetAllProgramsPerfData() {
  return detail::perf_data(false);
}
inline std::map<ChipId, KernelDurationSummary>
GetLatestKernelDurationSummary(uint64_t min_ns = 0, uint64_t max_ns = 0, uint32_t buckets = 10) {
  return detail::summary(true, min_ns, max_ns, buckets);
}
inline std::map<ChipId, KernelDurationSummary>
GetAllKernelDurationSummary(uint64_t min_ns = 0, uint64_t max_ns = 0, uint32_t buckets = 10) {
  return detail::summary(false, min_ns, max_ns, buckets);
}

} // namespace tt::tt_metal::experimental

template <> struct std::hash<tt::tt_metal::experimental::ProgramExecutionUID> {
  std::size_t operator()(const tt::tt_metal::experimental::ProgramExecutionUID &id) const {
    return id.runtime_id * 1000003 + id.trace_id * 1009 + id.trace_id_counter;
  }
};
