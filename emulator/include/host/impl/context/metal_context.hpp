// What host tests ask of the runtime's inside: which devices there are, and a few limits. One
// device is told, so that a test that runs on all of them runs once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <impl/debug/dprint_server.hpp>
#include <impl/debug/watcher_server.hpp>
#include <llrt/rtoptions.hpp>
#include <tt-metalium/cluster.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/dispatch_core_common.hpp>
#include <tt-metalium/fabric_types.hpp>
#include <tt-metalium/hal.hpp>
#include <tt-metalium/hal_types.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/system_mesh.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>
#include <tt_stl/indestructible.hpp>
#include <umd/device/cluster_descriptor.hpp>
#include <umd/device/types/xy_pair.hpp>

namespace tt::tt_metal {

class Hal {
public:
  // As kernels name a node of the NoC.
  uint32_t noc_xy_encoding(uint32_t x, uint32_t y) const { return y << 8 | x; }
  uint32_t noc_multicast_encoding(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) const {
    return uint32_t{1} << 30 | noc_xy_encoding(x1, y1) << 16 | noc_xy_encoding(x0, y0);
  }
  // Registers of a node of the NoC, for Cluster::read_reg: what it is called, and by which names
  // the lowest 16 columns and rows go, which are their own.
  uint32_t get_noc_encoding_reg() const { return NODE_REGISTER; }
  uint32_t get_noc_node_id_mask() const { return 0xff; }
  uint32_t get_noc_addr_node_id_bits() const { return 8; }
  std::vector<uint32_t> get_noc_x_id_translate_table() const { return translation(X_REGISTERS); }
  std::vector<uint32_t> get_noc_y_id_translate_table() const { return translation(Y_REGISTERS); }
  static constexpr uint32_t NODE_REGISTER = 0xffb20148, X_REGISTERS = 0xffb20118,
                            Y_REGISTERS = 0xffb20130, TRANSLATION_REGISTERS = 6;
  static std::vector<uint32_t> translation(uint32_t first) {
    std::vector<uint32_t> registers;
    for (uint32_t i = 0; i < TRANSLATION_REGISTERS; ++i) registers.push_back(first + 4 * i);
    return registers;
  }
  uint32_t get_arch_num_circular_buffers() const { return ttemu_num_cbs(); }
  uint32_t get_alignment(HalMemType type) const {
    return ttemu_aligned_page(type == HalMemType::DRAM, 1);
  }
  uint32_t get_read_alignment(HalMemType type) const { return get_alignment(type); }
  uint32_t get_write_alignment(HalMemType) const { return 16; }
  uint64_t get_dev_addr(HalDramMemAddrType) const { return 0; } // what is reserved lies elsewhere
  // What programs may use; the firmware's own parts are told to lie at its start.
  uint64_t get_dev_addr(HalProgrammableCoreType, HalL1MemAddrType) const {
    return ttemu_l1_base_asked();
  }
  uint32_t get_dev_size(HalProgrammableCoreType, HalL1MemAddrType part) const {
    const bool usable =
        part == HalL1MemAddrType::UNRESERVED || part == HalL1MemAddrType::DEFAULT_UNRESERVED;
    return usable ? ttemu_l1_bytes() : 0;
  }
  tt::ARCH get_arch() const { return tt::get_arch_from_string(ttemu_arch()); }
  bool is_coordinate_virtualization_enabled() const { return true; }
  uint32_t get_programmable_core_type_count() const { return 1; }
  uint32_t get_programmable_core_type_index(HalProgrammableCoreType type) const {
    return static_cast<uint32_t>(type);
  }
  bool get_eth_fw_is_cooperative() const { return false; } // no program runs on ethernet's cores
  // Two processors that move data, and one, of three parts, that computes; worker cores alone.
  uint32_t get_num_risc_processors(HalProgrammableCoreType type) const {
    return type == HalProgrammableCoreType::TENSIX ? 5 : 0;
  }
  uint32_t get_processor_classes_count(HalProgrammableCoreType) const { return 2; }
  uint32_t get_processor_types_count(HalProgrammableCoreType type, uint32_t of) const {
    return type != HalProgrammableCoreType::TENSIX ? 0 : of == 0 ? 2 : 3;
  }
  uint32_t get_processor_index(HalProgrammableCoreType, HalProcessorClassType of, int type) const {
    return (of == HalProcessorClassType::DM ? 0 : 2) + static_cast<uint32_t>(type);
  }
  uint64_t get_dev_size(HalDramMemAddrType part) const {
    return part == HalDramMemAddrType::UNRESERVED ? ttemu_dram_bytes() : 0;
  }
};

#if defined(TTEMU_API) && TTEMU_API < 202603
inline Hal hal, &hal_ref = hal;
#endif

class MetalContext {
public:
  class Cluster {
  public:
#if defined(TTEMU_API) && TTEMU_API < 202603
    static Cluster &instance() { return MetalContext::instance().get_cluster(); } // to March 2025
#endif
    // Those registers of a worker core's node that Hal names.
    void read_reg(uint32_t *value, const tt_cxy_pair &core, uint64_t address) const {
      const uint32_t x = uint32_t(address) - Hal::X_REGISTERS,
                     y = uint32_t(address) - Hal::Y_REGISTERS;
      if (address == Hal::NODE_REGISTER) {
        *value = uint32_t(core.y) << 8 | uint32_t(core.x);
        return;
      }
      const uint32_t at = x < 4 * Hal::TRANSLATION_REGISTERS ? x : y;
      TT_FATAL(at < 4 * Hal::TRANSLATION_REGISTERS && at % 4 == 0,
               "register 0x{:x} of a node is not emulated", address);
      *value = at / 4 % 2 ? 0xfedcba98 : 0x76543210; // eight names of four bits
    }
    std::set<ChipId> all_chip_ids() const { return {0}; }
    std::set<ChipId> mmio_chip_ids() const { return {0}; }
    BoardType get_board_type(ChipId) const { return BoardType::N150; }
    std::vector<std::vector<ChipId>> get_tunnels_from_mmio_device(ChipId) const { return {}; }
    std::set<ChipId> user_exposed_chip_ids() const { return {0}; }
    std::size_t number_of_user_devices() const { return 1; }
    std::size_t number_of_devices() const { return 1; }
    tt::ARCH arch() const { return tt::get_arch_from_string(ttemu_arch()); }
    ClusterType get_cluster_type() const {
      return arch() == tt::ARCH::BLACKHOLE ? ClusterType::P150 : ClusterType::N150;
    }
    bool is_galaxy_cluster() const { return false; }
    bool is_ubb_galaxy() const { return false; }
    // Nothing connects emulated chips but their host.
    bool is_ethernet_link_up(ChipId, const CoreCoord &) const { return false; }
    std::map<int, std::vector<CoreCoord>>
    get_ethernet_cores_grouped_by_connected_chips(ChipId) const {
      return {};
    }
    std::set<ChipId> get_ethernet_connected_device_ids(ChipId) const { return {}; }
    TargetDevice get_target_device_type() const { return TargetDevice::Silicon; }
    std::size_t number_of_pci_devices() const { return 1; }
    uint16_t get_assigned_channel_for_device(ChipId) const { return 0; }
    std::set<ChipId> all_pci_chip_ids() const { return {0}; }
    CoreCoord get_virtual_coordinate_from_logical_coordinates(ChipId, CoreCoord core,
                                                              CoreType kind) const {
      uint32_t x = uint32_t(core.x) + TTEMU_NOC_ORIGIN, y = uint32_t(core.y) + TTEMU_NOC_ORIGIN;
      if (kind == CoreType::DRAM)
        TT_FATAL(ttemu_bank_node(true, uint32_t(core.x), &x, &y), "there is no bank {}", core.x);
      return {x, y};
    }
    CoreCoord get_virtual_coordinate_from_logical_coordinates(tt_cxy_pair core,
                                                              CoreType kind) const {
      return get_virtual_coordinate_from_logical_coordinates(0, core, kind);
    }
    bool is_worker_core(const CoreCoord &core, ChipId) const {
      return core.x - TTEMU_NOC_ORIGIN < ttemu_grid_x() &&
             core.y - TTEMU_NOC_ORIGIN < ttemu_grid_y();
    }
    uint32_t get_harvesting_mask(ChipId) const { return 0; }
    uint32_t get_device_aiclk(ChipId) const { return ttemu_clock_mhz(); }
    ChipId get_associated_mmio_device(ChipId chip) const { return chip; }
    uint32_t get_num_host_channels(ChipId) const { return 1; } // of a device on its own
    // Memory of a worker core, by its NoC coordinates. Writes are there when these return.
    void write_core(const void *data, uint32_t bytes, tt_cxy_pair core, uint64_t address) const {
      l1(const_cast<void *>(data), bytes, core, address, true);
    }
    template <typename T>
    void write_core(ChipId chip, const CoreCoord &core, const std::vector<T> &data,
                    uint64_t address) const {
      write_core(data.data(), uint32_t(data.size() * sizeof(T)), {std::size_t(chip), core},
                 address);
    }
    template <typename T>
    void write_core(ChipId chip, const CoreCoord &core, const std::span<T> &data,
                    uint64_t address) const {
      write_core(data.data(), uint32_t(data.size() * sizeof(T)), {std::size_t(chip), core},
                 address);
    }
    template <typename... Args> void write_core_immediate(const Args &...args) const {
      write_core(args...);
    }
    void read_core(void *data, uint32_t bytes, tt_cxy_pair core, uint64_t address) const {
      l1(data, bytes, core, address, false);
    }
    void read_core(std::vector<uint32_t> &data, uint32_t bytes, tt_cxy_pair core,
                   uint64_t address) const {
      data.resize(bytes / sizeof(uint32_t));
      read_core(data.data(), bytes, core, address);
    }
    template <typename T = uint32_t>
    std::vector<T> read_core(ChipId chip, const CoreCoord &core, uint64_t address,
                             uint32_t bytes) const {
      std::vector<T> data(bytes / sizeof(T));
      read_core(data.data(), bytes, {std::size_t(chip), core}, address);
      return data;
    }
    void set_internal_routing_info_for_ethernet_cores(bool) const {} // there is no such core
    void l1_barrier(ChipId) const {}
    void dram_barrier(ChipId) const {}

  private:
    static void l1(void *data, uint32_t bytes, tt_cxy_pair core, uint64_t address, bool write) {
      const std::size_t x = core.x - TTEMU_NOC_ORIGIN, y = core.y - TTEMU_NOC_ORIGIN;
      TT_FATAL(x < ttemu_grid_x() && y < ttemu_grid_y(),
               "({}, {}) is no worker core's place on the NoC", core.x, core.y);
      ttemu_choose(static_cast<uint32_t>(core.chip));
      ttemu_memory(false, TTEMU_L1_BANK(x, y), static_cast<uint32_t>(address), data, bytes, write);
    }
  };
  static MetalContext &instance() {
    static MetalContext context;
    return context;
  }
  Cluster &get_cluster() { return cluster_; }
  llrt::RunTimeOptions &rtoptions() { return options_; }
  DPrintServer *dprint_server() { return &prints_; }
  WatcherServer *watcher_server() {
    TT_THROW("the watcher is not emulated: what it looks for, the device checks itself");
  }
  Hal &hal() { return hal_; }
  distributed::SystemMesh &get_system_mesh() { return mesh_; }
  // Devices open when they are created, and close with them.
  void initialize_device_manager(const std::vector<ChipId> &, uint8_t = 1, std::size_t = 0,
                                 std::size_t = 0, std::span<const uint32_t> = {}, std::size_t = 0,
                                 bool = true, bool = true) {}
  void teardown() {}

private:
  MetalContext() { ttemu_set_printer(&print); }
  static bool print(uint32_t device, uint32_t x, uint32_t y, int processor, const char *text) {
    return instance().prints_.take(device, x, y, processor, text);
  }
  Cluster cluster_;
#if defined(TTEMU_API) && TTEMU_API < 202603
  llrt::RunTimeOptions &options_ = llrt::RunTimeOptions::get_instance();
#else
  llrt::RunTimeOptions options_;
#endif
  DPrintServer prints_{options_};
  Hal hal_;
  distributed::SystemMesh mesh_{distributed::MeshShape(1, 1)};
};

} // namespace tt::tt_metal

#if defined(TTEMU_API) && TTEMU_API < 202603
namespace tt {
using Cluster = tt_metal::MetalContext::Cluster;
}
#endif
