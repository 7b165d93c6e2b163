// A circular buffer of a program, as the host described it last.
#pragma once

#include <cstdint>
#include <unordered_set>

#include <tt-metalium/circular_buffer_config.hpp>
#include <tt-metalium/core_coord.hpp>

namespace tt::tt_metal {

class CircularBuffer {
public:
  CircularBuffer(CBHandle id, const CoreRangeSet &cores, const CircularBufferConfig &config)
      : id_(id), cores_(cores), config_(config) {
    for (const auto &[index, format] : config.formats()) indices_.insert(index);
    for (const auto &[index, format] : config.remotes()) indices_.insert(index);
  }
  CBHandle id() const { return id_; }
  const CoreRangeSet &core_ranges() const { return cores_; }
  bool is_on_logical_core(const CoreCoord &core) const { return cores_.contains(core); }
  bool is_on_logical_corerange(const CoreRange &range) const { return cores_.intersects(range); }
  std::size_t size() const { return config_.total_size(); }
  bool globally_allocated() const { return config_.globally_allocated_address().has_value(); }
  const std::unordered_set<uint8_t> &buffer_indices() const { return indices_; }
  uint32_t page_size(uint32_t index) const {
    TT_FATAL(indices_.contains(uint8_t(index)), "circular buffer {} is not in this one", index);
    return config_.page_size(uint8_t(index));
  }
  uint32_t num_pages(uint32_t index) const { return uint32_t(size()) / page_size(index); }
  DataFormat data_format(uint32_t index) const {
    const auto local = config_.formats().find(uint8_t(index));
    return local != config_.formats().end() ? local->second : config_.remotes().at(uint8_t(index));
  }
  CircularBufferConfig &config() { return config_; }
  const CircularBufferConfig &config() const { return config_; }

private:
  CBHandle id_;
  CoreRangeSet cores_;
  CircularBufferConfig config_;
  std::unordered_set<uint8_t> indices_;
};
using CircularBufferImpl = CircularBuffer;

} // namespace tt::tt_metal
