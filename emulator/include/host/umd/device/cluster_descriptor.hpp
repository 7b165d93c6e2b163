// The machine as its driver sees it: one device, of the chip that is emulated.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include <umd/device/types/arch.hpp>
#include <umd/device/types/cluster_descriptor_types.hpp>

#include "ttemu/host_calls.h"

namespace tt {
namespace umd {
class ClusterDescriptor {
public:
  const std::unordered_set<ChipId> &get_all_chips() const { return chips_; }
  ARCH get_arch(ChipId) const { return get_arch_from_string(ttemu_arch()); }

private:
  std::unordered_set<ChipId> chips_ = {0};
};
struct Cluster {
  static std::unique_ptr<ClusterDescriptor> create_cluster_descriptor() {
    return std::make_unique<ClusterDescriptor>();
  }
  static std::vector<int> detect_available_device_ids() { return {0}; }
};
// Of the vendor's own simulator, which there is none of here.
struct SocDescriptor {
  static ARCH get_arch_from_soc_descriptor_path(const std::string &) { return ARCH::Invalid; }
};
struct SimulationChip {
  static std::string get_soc_descriptor_path_from_simulator_path(const std::string &) { return {}; }
};
#if defined(TTEMU_API) && TTEMU_API < 202603
using SimulationDevice = SimulationChip;
#endif
} // namespace umd
} // namespace tt

#if defined(TTEMU_API) && TTEMU_API < 202603
// As they were called to the middle of 2025.
struct tt_ClusterDescriptor : tt::umd::ClusterDescriptor {
  static std::unique_ptr<tt_ClusterDescriptor> create() {
    return std::make_unique<tt_ClusterDescriptor>();
  }
};
struct tt_SimulationDeviceInit {
  explicit tt_SimulationDeviceInit(const std::string &) {}
  tt::ARCH get_arch_name() const { return tt::ARCH::Invalid; }
};
#endif
