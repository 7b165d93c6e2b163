// A device: its grid, its memory, its coordinates.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <hostdevcommon/common_values.hpp>
#include <hostdevcommon/kernel_structs.h>
#include <tt-metalium/allocator.hpp>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/device_types.hpp>
#include <tt-metalium/hal_types.hpp>
#include <tt-metalium/sub_device.hpp>
#include <umd/device/types/arch.hpp>
#include <umd/device/types/core_coordinates.hpp>

namespace tt::tt_metal {

enum NOC : uint8_t;
class CommandQueue;

namespace detail {
// How many devices are open; the last one to be closed closes the emulated machine.
inline std::size_t &open_count() {
  static std::size_t count = 0;
  return count;
}
// Opens `n` more, and returns their numbers.
inline std::vector<uint32_t> open_devices(std::size_t n) {
  std::vector<uint32_t> numbers;
  std::size_t &count = open_count();
  if (count == 0) ttemu_open();
  for (std::size_t i = 0; i < n; ++i) numbers.push_back(static_cast<uint32_t>(count++));
  ttemu_mesh(static_cast<uint32_t>(count));
  return numbers;
}
inline void close_devices(std::size_t n) {
  std::size_t &count = open_count();
  count = count > n ? count - n : 0;
  if (count == 0) ttemu_close();
}
} // namespace detail

class IDevice {
public:
  // `number` is what the emulated machine calls it, `id` what the program does.
  IDevice(int id, uint32_t number) : id_(id), number_(number) {}
  IDevice(const IDevice &) = delete;
  virtual ~IDevice() = default;
  virtual int id() const { return id_; }
  int build_id() const { return id(); }
  uint32_t number() const { return number_; }
  tt::ARCH arch() const {
    return std::string(ttemu_arch()) == "blackhole" ? tt::ARCH::BLACKHOLE : tt::ARCH::WORMHOLE_B0;
  }
  // There are none: nothing connects emulated chips but their host.
  std::unordered_set<CoreCoord> get_active_ethernet_cores(bool = false) const { return {}; }
  std::unordered_set<CoreCoord> get_inactive_ethernet_cores() const { return {}; }
  bool is_active_ethernet_core(CoreCoord, bool = false) const { return false; }
  bool is_inactive_ethernet_core(CoreCoord) const { return false; }
  std::unordered_set<CoreCoord> ethernet_cores() const { return {}; }
  std::vector<CoreCoord> get_ethernet_sockets(int) const { return {}; }
  std::unordered_set<CoreCoord> storage_only_cores() const { return {}; }
  CoreCoord ethernet_core_from_logical_core(const CoreCoord &core) const { return no_link(core); }
  CoreCoord logical_core_from_ethernet_core(const CoreCoord &core) const { return no_link(core); }
  std::tuple<int, CoreCoord> get_connected_ethernet_core(CoreCoord core) const {
    return {0, no_link(core)};
  }
  std::vector<CoreCoord>
  ethernet_cores_from_logical_cores(const std::vector<CoreCoord> &cores) const {
    std::vector<CoreCoord> all;
    for (const CoreCoord &core : cores) all.push_back(no_link(core));
    return all;
  }
  uint8_t num_hw_cqs() const { return 2; }
  bool is_initialized() const { return open_; }
  bool is_mmio_capable() const { return true; }
  CoreCoord compute_with_storage_grid_size() const { return {ttemu_grid_x(), ttemu_grid_y()}; }
  CoreCoord logical_grid_size() const { return compute_with_storage_grid_size(); }
  CoreCoord grid_size() const { return compute_with_storage_grid_size(); }
  CoreCoord dram_grid_size() const { return {ttemu_dram_banks(), 1}; }
  int num_dram_channels() const { return static_cast<int>(ttemu_dram_banks()); }
  uint32_t dram_size_per_channel() const { return static_cast<uint32_t>(ttemu_dram_bytes()); }
  uint32_t l1_size_per_core() const { return ttemu_l1_base() + ttemu_l1_bytes(); }
  uint64_t get_dev_addr(const CoreCoord &, HalL1MemAddrType part) const {
    return part == HalL1MemAddrType::BASE ? 0 : ttemu_l1_base_asked();
  }
  uint64_t get_dev_size(const CoreCoord &core, HalL1MemAddrType part) const {
    return ttemu_l1_base() + ttemu_l1_bytes() - get_dev_addr(core, part);
  }
#if defined(TTEMU_API) && TTEMU_API < 202603
  // The smallest step from one of the vector unit's numbers, to mid-2024.
  float sfpu_eps() const { return std::numeric_limits<float>::epsilon(); }
#endif
  int get_clock_rate_mhz() const { return static_cast<int>(ttemu_clock_mhz()); }
  // NoC coordinates of a worker core.
  CoreCoord worker_core_from_logical_core(const CoreCoord &core) const {
    return {core.x + TTEMU_NOC_ORIGIN, core.y + TTEMU_NOC_ORIGIN};
  }
  // The same of a bank of DRAM, whose logical coordinates are its number and 0.
  CoreCoord virtual_core_from_logical_core(const CoreCoord &core, CoreType kind) const {
    if (kind != CoreType::DRAM) return worker_core_from_logical_core(core);
    uint32_t x = 0, y = 0;
    TT_FATAL(core.y == 0 && ttemu_bank_node(true, uint32_t(core.x), &x, &y),
             "there is no bank of DRAM {}", core.str());
    return {x, y};
  }
  std::vector<CoreCoord>
  worker_cores_from_logical_cores(const std::vector<CoreCoord> &cores) const {
    std::vector<CoreCoord> all;
    for (const CoreCoord &core : cores) all.push_back(worker_core_from_logical_core(core));
    return all;
  }
  // A node, and a rectangle of nodes, as registers of the NoC name them.
  uint32_t get_noc_unicast_encoding(uint8_t, const CoreCoord &core) const {
    return static_cast<uint32_t>(core.y << 8 | core.x);
  }
  uint32_t get_noc_multicast_encoding(uint8_t noc, const CoreRange &cores) const {
    return uint32_t{1} << 30 | get_noc_unicast_encoding(noc, cores.end_coord) << 16 |
           get_noc_unicast_encoding(noc, cores.start_coord);
  }
  CoreCoord virtual_noc0_coordinate(uint8_t, const CoreCoord &core) const { return core; }
  CoreCoord logical_core_from_dram_channel(uint32_t channel) const { return {channel, 0}; }
  // A worker core for each bank: the nearest one on the NoC by the way that its data takes, no
  // core twice.
  std::vector<CoreCoord> get_optimal_dram_bank_to_logical_worker_assignment(NOC noc) const {
    std::vector<CoreCoord> cores;
    for (uint32_t bank = 0; bank < ttemu_dram_banks(); ++bank) {
      uint32_t x = 0, y = 0;
      for (uint32_t nth = 0; ttemu_core_near_bank(bank, noc, nth, &x, &y); ++nth)
        if (std::find(cores.begin(), cores.end(), CoreCoord(x, y)) == cores.end()) break;
      cores.emplace_back(x, y);
    }
    return cores;
  }
  std::size_t num_program_cache_entries() const { return 0; }
  HalProgrammableCoreType get_programmable_core_type(const CoreCoord &) const {
    return HalProgrammableCoreType::TENSIX;
  }
  uint32_t dram_channel_from_logical_core(const CoreCoord &core) const { return uint32_t(core.x); }
  uint32_t dram_channel_from_virtual_core(const CoreCoord &node) const {
    uint32_t x = 0, y = 0;
    for (uint32_t bank = 0; bank < ttemu_dram_banks(); ++bank)
      if (ttemu_bank_node(true, bank, &x, &y) && node == CoreCoord(x, y)) return bank;
    TT_THROW("({}, {}) is no bank's place on the NoC", node.x, node.y);
  }
  // Of a sub-device that is loaded; all of them are one at first.
  CoreRangeSet worker_cores(HalProgrammableCoreType kind, SubDeviceId id) const {
    TT_FATAL(*id < sub_devices_.size(), "sub-device {} of {}", *id, sub_devices_.size());
    if (loaded_) return managers_.at(loaded_).at(*id).cores(kind);
    const CoreCoord grid = compute_with_storage_grid_size();
    return kind == HalProgrammableCoreType::TENSIX
               ? CoreRangeSet(CoreRange({0, 0}, {grid.x - 1, grid.y - 1}))
               : CoreRangeSet();
  }
  uint32_t num_worker_cores(HalProgrammableCoreType kind, SubDeviceId id) const {
    return worker_cores(kind, id).num_cores();
  }
  const std::unique_ptr<Allocator> &allocator() const { return allocator_; }
  const std::unique_ptr<Allocator> &allocator(SubDeviceId) const { return allocator_; }
  const std::unique_ptr<Allocator> &allocator_impl() const { return allocator_; }
  const std::unique_ptr<Allocator> &allocator_impl(SubDeviceId) const { return allocator_; }
  std::optional<DeviceAddr> lowest_occupied_compute_l1_address() const {
    const uint32_t lowest = ttemu_l1_lowest();
    return lowest ? std::optional<DeviceAddr>(lowest) : std::nullopt;
  }
  // Bytes of L1, and of a DRAM bank, that buffers may use.
  uint32_t get_num_banks(BufferType type) const { return allocator_->get_num_banks(type); }

#if defined(TTEMU_API) && TTEMU_API < 202603
  // By their names of 2024. Banks of DRAM are its channels, those of L1 its cores, row by row.
  uint32_t num_banks(BufferType type) const { return allocator_->get_num_banks(type); }
  uint32_t bank_size(BufferType type) const {
    return static_cast<uint32_t>(allocator_->get_bank_size(type));
  }
  int32_t bank_offset(BufferType, uint32_t) const { return 0; }
  DeviceAddr get_base_allocator_addr(HalMemType type) const {
    return allocator_->get_base_allocator_addr(type);
  }
  uint32_t dram_channel_from_bank_id(uint32_t bank) const { return bank; }
  std::vector<uint32_t> bank_ids_from_dram_channel(uint32_t channel) const { return {channel}; }
  std::vector<uint32_t> bank_ids_from_logical_core(BufferType type, const CoreCoord &core) const {
    return allocator_->get_bank_ids_from_logical_core(type, core);
  }
  CoreCoord logical_core_from_bank_id(uint32_t bank) const {
    return allocator_->get_logical_core_from_bank_id(bank);
  }
  CoreCoord dram_core_from_dram_channel(uint32_t channel) const {
    return virtual_core_from_logical_core({channel, 0}, CoreType::DRAM);
  }
  CoreCoord physical_core_from_logical_core(const CoreCoord &core, CoreType kind) const {
    return virtual_core_from_logical_core(core, kind);
  }
  std::size_t get_l1_small_size() const { return allocator_->get_config().l1_small_size; }
  void enable_async(bool) {}
  void synchronize() {}
  void deallocate_buffers() {}
  template <typename Work> void push_work(Work &&work, bool = false) { work(); }
  uint32_t get_allocator_alignment() const { return ttemu_aligned_page(true, 1); }
  bool in_main_thread() const { return true; }
  bool using_slow_dispatch() const { return false; }
  bool using_fast_dispatch() const { return true; }
#endif

  // Sub-devices divide the cores for the host only: programs name their cores themselves.
  SubDeviceManagerId create_sub_device_manager(std::initializer_list<SubDevice> devices,
                                               DeviceAddr) {
    return create_manager({devices.begin(), devices.end()});
  }
  SubDeviceManagerId create_sub_device_manager(std::span<const SubDevice> devices, DeviceAddr) {
    return create_manager({devices.begin(), devices.end()});
  }
  void load_sub_device_manager(SubDeviceManagerId id) {
    if (!*id) return clear_loaded_sub_device_manager();
    TT_FATAL(managers_.contains(*id), "there is no sub-device manager {}", *id);
    loaded_ = *id;
    sub_devices_.clear();
    stalls_.clear();
    for (std::size_t i = 0; i < managers_[*id].size(); ++i)
      sub_devices_.push_back(SubDeviceId(static_cast<uint8_t>(i)));
  }
  void clear_loaded_sub_device_manager() {
    sub_devices_ = {SubDeviceId(0)};
    stalls_.clear();
    loaded_ = 0;
  }
  void remove_sub_device_manager(SubDeviceManagerId id) {
    TT_FATAL(managers_.contains(*id), "there is no sub-device manager {}", *id);
    TT_FATAL(loaded_ != *id, "sub-device manager {} is the one that is loaded", *id);
    managers_.erase(*id);
  }
  SubDeviceManagerId get_active_sub_device_manager_id() const { return {loaded_}; }
  SubDeviceManagerId get_default_sub_device_manager_id() const { return {}; }
  const std::vector<SubDeviceId> &get_sub_device_ids() const { return sub_devices_; }
  uint32_t num_sub_devices() const { return static_cast<uint32_t>(sub_devices_.size()); }
  // Whose programs have to end before what comes behind them in a queue.
  void set_sub_device_stall_group(std::span<const SubDeviceId> ids) {
    stalls_.assign(ids.begin(), ids.end());
  }
  void reset_sub_device_stall_group() { stalls_.clear(); }
  const std::vector<SubDeviceId> &get_sub_device_stall_group() const {
    return stalls_.empty() ? sub_devices_ : stalls_;
  }
  bool has_sub_devices() const { return loaded_ != 0; }
  // Whether a program that was launched has not ended on these sub-devices, or on those that
  // queues wait for.
  bool runs(std::span<const SubDeviceId> ids) const {
    for (uint32_t y = 0; y < ttemu_grid_y(); ++y)
      for (uint32_t x = 0; x < ttemu_grid_x(); ++x)
        if (ttemu_core_runs(x, y) && (!loaded_ || is_on(ids, CoreCoord(x, y)))) return true;
    return false;
  }
  void wait_for(std::span<const SubDeviceId> ids) const {
    if (runs(ids)) ttemu_wait();
  }

  // Compiled kernels are kept between runs in any case.
  void enable_program_cache() {}
  void clear_program_cache() {}
  void disable_and_clear_program_cache() {}

  virtual bool close() {
    if (open_) detail::close_devices(1);
    open_ = false;
    return true;
  }
  CommandQueue &command_queue(std::size_t id = 0);

protected:
  bool open_ = true;

private:
  static CoreCoord no_link(const CoreCoord &core) {
    TT_THROW("there is no ethernet core {}: nothing connects emulated chips but their host",
             core.str());
    return core;
  }
  bool is_on(std::span<const SubDeviceId> ids, CoreCoord core) const {
    if (ids.empty()) ids = get_sub_device_stall_group();
    for (const SubDeviceId id : ids)
      if (managers_.at(loaded_).at(*id).cores(HalProgrammableCoreType::TENSIX).contains(core))
        return true;
    return false;
  }
  SubDeviceManagerId create_manager(std::vector<SubDevice> devices) {
    CoreRangeSet all;
    for (const SubDevice &device : devices) {
      const CoreRangeSet &cores = device.cores(HalProgrammableCoreType::TENSIX);
      TT_FATAL(!all.intersects(cores), "sub-devices share cores {}", cores.str());
      all = all.merge(cores);
    }
    managers_[next_manager_] = std::move(devices);
    return {next_manager_++};
  }
  int id_;
  uint32_t number_;
  std::unique_ptr<Allocator> allocator_ = std::make_unique<Allocator>();
  std::map<uint64_t, std::vector<SubDevice>> managers_;
  uint64_t loaded_ = 0; // the default one, of all cores
  uint64_t next_manager_ = 1;
  std::vector<SubDeviceId> sub_devices_{SubDeviceId(0)}, stalls_;
  std::shared_ptr<CommandQueue> queues_[2];
};

#if defined(TTEMU_API) && TTEMU_API < 202603
using Device = IDevice;
#endif

namespace detail {
// A buffer of one device.
inline std::shared_ptr<Buffer> local_buffer(IDevice *device, DeviceAddr size, DeviceAddr page_size,
                                            BufferType type, const BufferShardingArgs &sharding,
                                            std::optional<DeviceAddr> address = std::nullopt) {
  TT_FATAL(device != nullptr, "a buffer needs a device");
  auto buffer = std::make_shared<Buffer>(size, page_size, type, sharding, device, address);
  buffer->on_device = device->number();
  return buffer;
}
} // namespace detail

} // namespace tt::tt_metal
