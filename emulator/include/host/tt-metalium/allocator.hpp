// What memory of a device there is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/hal_types.hpp>

#include "ttemu/host_calls.h"

namespace tt::tt_metal {

// Of a bank.
struct Statistics {
  std::size_t total_allocatable_size_bytes = 0, total_allocated_bytes = 0, total_free_bytes = 0;
  std::size_t largest_free_block_bytes = 0;
  std::vector<uint32_t> largest_free_block_addrs;
};

struct AllocatorConfig {
  std::size_t l1_small_size = 0, trace_region_size = 0;
  uint64_t l1_unreserved_base = ttemu_l1_base();
  std::size_t worker_l1_size = ttemu_l1_base() + ttemu_l1_bytes();
  std::size_t dram_bank_size = ttemu_dram_bytes();
  uint32_t dram_alignment = ttemu_aligned_page(true, 1),
           l1_alignment = ttemu_aligned_page(false, 1);
};

class Allocator {
public:
  const AllocatorConfig &get_config() const {
    ttemu_l1_base_asked();
    return config_;
  }
  void configure(std::size_t l1_small, std::size_t trace) {
    config_.l1_small_size = l1_small, config_.trace_region_size = trace;
  }
  uint32_t get_dram_channel_from_bank_id(uint32_t bank) const { return bank; }
  std::vector<uint32_t> get_bank_ids_from_dram_channel(uint32_t channel) const { return {channel}; }
  Statistics get_statistics(const BufferType &type) const {
    uint64_t taken = 0, gap = 0;
    uint32_t at = 0;
    ttemu_allocated(is_dram(type), &taken, &gap, &at);
    const std::size_t all = get_bank_size(type);
    return {all, taken, all - taken, gap, {at}};
  }
  uint32_t get_num_banks(BufferType type) const {
    return is_dram(type) ? ttemu_dram_banks() : ttemu_grid_x() * ttemu_grid_y();
  }
  DeviceAddr get_bank_size(BufferType type) const {
    return is_dram(type) ? ttemu_dram_bytes() : ttemu_l1_bytes();
  }
  uint32_t get_alignment(BufferType type) const { return ttemu_aligned_page(is_dram(type), 1); }
  DeviceAddr get_base_allocator_addr(HalMemType type) const {
    return type == HalMemType::DRAM ? get_alignment(BufferType::DRAM) : ttemu_l1_base_asked();
  }
  CoreCoord get_logical_core_from_bank_id(uint32_t bank) const {
    return {bank % ttemu_grid_x(), bank / ttemu_grid_x()};
  }
  std::vector<uint32_t> get_bank_ids_from_logical_core(BufferType type, const CoreCoord &c) const {
    return {static_cast<uint32_t>(is_dram(type) ? c.x : c.y * ttemu_grid_x() + c.x)};
  }
  int32_t get_bank_offset(BufferType, uint32_t) const { return 0; }
  std::size_t get_worker_l1_size() const { return ttemu_l1_bytes(); }

private:
  AllocatorConfig config_;
  static bool is_dram(BufferType type) {
    return type == BufferType::DRAM || type == BufferType::TRACE;
  }
};

} // namespace tt::tt_metal
