// Features for debugging that the runtime can turn on for chips, cores and processors.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/hal_types.hpp>
#include <umd/device/types/cluster_descriptor_types.hpp>
#include <umd/device/types/core_coordinates.hpp>
#include <umd/device/types/xy_pair.hpp>

namespace tt::llrt {

// Of these, what kernels print is there; the others are kept and have no effect.
enum RunTimeDebugFeatures {
  RunTimeDebugFeatureDprint,
  RunTimeDebugFeatureReadDebugDelay,
  RunTimeDebugFeatureWriteDebugDelay,
  RunTimeDebugFeatureAtomicDebugDelay,
  RunTimeDebugFeatureEnableL1DataCache,
  RunTimeDebugFeatureCount
};

enum RunTimeDebugClass {
  RunTimeDebugClassNoneSpecified,
  RunTimeDebugClassWorker,
  RunTimeDebugClassDispatch,
  RunTimeDebugClassAll,
  RunTimeDebugClassCount
};

// Where a feature is on, and where its output goes.
struct TargetSelection {
  std::map<CoreType, std::vector<CoreCoord>> cores;
  std::map<CoreType, int> all_cores; // a RunTimeDebugClass
  bool enabled = false;
  std::vector<int> chip_ids;
  std::vector<std::pair<uint32_t, uint32_t>> mesh_coords;
  bool all_chips = false;
  tt_metal::HalProcessorSet processors = tt_metal::HalProcessorSet::of_worker_core();
  std::string file_name; // or the standard output
  bool one_file_per_risc = false;
  bool prepend_device_core_risc = true;

  bool has_chip(int chip) const {
    for (const int other : chip_ids)
      if (other == chip) return true;
    return all_chips;
  }
  bool has_worker(const CoreCoord &core) const {
    const auto all = all_cores.find(CoreType::WORKER);
    if (all != all_cores.end() &&
        (all->second == RunTimeDebugClassWorker || all->second == RunTimeDebugClassAll))
      return true;
    const auto some = cores.find(CoreType::WORKER);
    if (some == cores.end()) return false;
    for (const CoreCoord &other : some->second)
      if (other == core) return true;
    return false;
  }
};

class DebugFeatures {
public:
  using Feature = RunTimeDebugFeatures;
  bool get_feature_enabled(Feature f) const { return of(f).enabled; }
  void set_feature_enabled(Feature f, bool on) { of(f).enabled = on; }
  const std::map<CoreType, std::vector<CoreCoord>> &get_feature_cores(Feature f) const {
    return of(f).cores;
  }
  void set_feature_cores(Feature f, std::map<CoreType, std::vector<CoreCoord>> cores) {
    of(f).cores = std::move(cores);
  }
  void set_feature_all_cores(Feature f, CoreType type, int which) { of(f).all_cores[type] = which; }
  int get_feature_all_cores(Feature f, CoreType type) const {
    const auto found = of(f).all_cores.find(type);
    return found == of(f).all_cores.end() ? RunTimeDebugClassNoneSpecified : found->second;
  }
  void set_feature_core_range(Feature f, CoreCoord start, CoreCoord end, CoreType type) {
    std::vector<CoreCoord> &list = of(f).cores[type];
    list.clear();
    for (std::size_t x = start.x; x <= end.x; ++x)
      for (std::size_t y = start.y; y <= end.y; ++y) list.push_back({x, y});
  }
  const std::vector<int> &get_feature_chip_ids(Feature f) const { return of(f).chip_ids; }
  void set_feature_chip_ids(Feature f, std::vector<int> ids) { of(f).chip_ids = std::move(ids); }
  void set_feature_mesh_coords(Feature f, std::vector<std::pair<uint32_t, uint32_t>> coords) {
    of(f).mesh_coords = std::move(coords);
  }
  void set_feature_all_chips(Feature f, bool all) { of(f).all_chips = all; }
  bool get_feature_all_chips(Feature f) const { return of(f).all_chips; }
  const tt_metal::HalProcessorSet &get_feature_processors(Feature f) const {
    return of(f).processors;
  }
  void set_feature_processors(Feature f, tt_metal::HalProcessorSet set) { of(f).processors = set; }
  std::string get_feature_file_name(Feature f) const { return of(f).file_name; }
  void set_feature_file_name(Feature f, const std::string &name) { of(f).file_name = name; }
  bool get_feature_one_file_per_risc(Feature f) const { return of(f).one_file_per_risc; }
  void set_feature_one_file_per_risc(Feature f, bool on) { of(f).one_file_per_risc = on; }
  bool get_feature_prepend_device_core_risc(Feature f) const {
    return of(f).prepend_device_core_risc;
  }
  void set_feature_prepend_device_core_risc(Feature f, bool on) {
    of(f).prepend_device_core_risc = on;
  }
  TargetSelection get_feature_targets(Feature f) const { return of(f); }
  void set_feature_targets(Feature f, const TargetSelection &targets) { of(f) = targets; }

private:
  const TargetSelection &of(Feature f) const { return features_.at(std::size_t(f)); }
  TargetSelection &of(Feature f) { return features_.at(std::size_t(f)); }
  std::array<TargetSelection, RunTimeDebugFeatureCount> features_;
};

} // namespace tt::llrt
