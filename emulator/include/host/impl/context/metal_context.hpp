// What host tests ask of the runtime's inside: which devices there are, and a few limits. One
// device is told, so that a test that runs on all of them runs once.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/dispatch_core_common.hpp>
#include <tt-metalium/hal_types.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>
#include <umd/device/cluster_descriptor.hpp>

namespace tt::tt_metal {

class Hal {
public:
  uint32_t get_arch_num_circular_buffers() const { return NUM_CIRCULAR_BUFFERS; }
  uint32_t get_alignment(HalMemType type) const {
    return ttemu_aligned_page(type == HalMemType::DRAM, 1);
  }
  uint32_t get_read_alignment(HalMemType type) const { return get_alignment(type); }
  uint32_t get_write_alignment(HalMemType) const { return 16; }
};

class MetalContext {
public:
  class Cluster {
  public:
    std::set<ChipId> all_chip_ids() const { return {0}; }
    std::set<ChipId> mmio_chip_ids() const { return {0}; }
    BoardType get_board_type(ChipId) const { return BoardType::N150; }
    std::vector<std::vector<ChipId>> get_tunnels_from_mmio_device(ChipId) const { return {}; }
    std::set<ChipId> user_exposed_chip_ids() const { return {0}; }
    std::size_t number_of_user_devices() const { return 1; }
    std::size_t number_of_devices() const { return 1; }
    tt::ARCH arch() const { return tt::get_arch_from_string(ttemu_arch()); }
    bool is_galaxy_cluster() const { return false; }
  };
  class Options {
  public:
    DispatchCoreConfig get_dispatch_core_config() const { return {}; }
    bool get_simulator_enabled() const { return false; }
    std::string get_simulator_path() const { return {}; }
  };
  static MetalContext &instance() {
    static MetalContext context;
    return context;
  }
  Cluster &get_cluster() { return cluster_; }
  Options &rtoptions() { return options_; }
  Hal &hal() { return hal_; }

private:
  Cluster cluster_;
  Options options_;
  Hal hal_;
};

} // namespace tt::tt_metal
