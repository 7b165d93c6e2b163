// Circular buffers, as the host describes them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include <tt-metalium/buffer.hpp>
#include <tt-metalium/circular_buffer_constants.h>
#include <tt-metalium/tile.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>

namespace tt::tt_metal {

using CBHandle = uintptr_t;

class CircularBufferConfig {
public:
  CircularBufferConfig(uint32_t total_size, const std::map<uint8_t, tt::DataFormat> &formats)
      : total_size_(total_size), formats_(formats) {}
  CircularBufferConfig(uint32_t total_size, const std::map<uint8_t, tt::DataFormat> &formats,
                       const Buffer &buffer)
      : total_size_(total_size), formats_(formats), buffer_(&buffer) {}
  explicit CircularBufferConfig(uint32_t total_size) : total_size_(total_size) {}
  CircularBufferConfig &set_page_size(uint8_t index, uint32_t page_size) {
    page_sizes_[index] = page_size;
    return *this;
  }
  CircularBufferConfig &set_total_size(uint32_t total_size) {
    total_size_ = total_size;
    return *this;
  }
  // The circular buffer lies on a buffer, whose pages on a core are its pages.
  CircularBufferConfig &set_globally_allocated_address(const Buffer &buffer) {
    buffer_ = &buffer;
    return *this;
  }
  CircularBufferConfig &set_globally_allocated_address_and_total_size(const Buffer &buffer,
                                                                      uint32_t total_size) {
    return set_globally_allocated_address(buffer).set_total_size(total_size);
  }
  // The shape of its tiles, which is 32x32 otherwise.
  CircularBufferConfig &set_tile_dims(uint8_t index, const Tile &tile) {
    tiles_.at(index) = tile;
    return *this;
  }
  const std::array<std::optional<Tile>, NUM_CIRCULAR_BUFFERS> &tiles() const { return tiles_; }
  std::optional<uint32_t> globally_allocated_address() const {
    if (!buffer_) return std::nullopt;
    return buffer_->address();
  }
  uint32_t total_size() const { return total_size_; }
  bool dynamic_cb() const { return buffer_ != nullptr; }
  const std::map<uint8_t, tt::DataFormat> &formats() const { return formats_; }
  uint32_t page_size(uint8_t index) const {
    auto found = page_sizes_.find(index);
    return found == page_sizes_.end() ? 0 : found->second;
  }
  const Buffer *buffer() const { return buffer_; }

  // index(i).set_data_format(f).set_page_size(n), for one of several.
  class Builder {
  public:
    Builder(CircularBufferConfig &config, uint8_t index, bool is_remote)
        : config_(config), index_(index), is_remote_(is_remote) {}
    Builder &set_data_format(tt::DataFormat format) {
      (is_remote_ ? config_.remotes_ : config_.formats_)[index_] = format;
      return *this;
    }
    Builder &set_page_size(uint32_t bytes) { return config_.page_sizes_[index_] = bytes, *this; }
    Builder &set_tile_dims(const Tile &tile) { return config_.tiles_.at(index_) = tile, *this; }

  private:
    CircularBufferConfig &config_;
    uint8_t index_;
    bool is_remote_;
  };
  Builder index(uint8_t index) {
    TT_FATAL(!remotes_.contains(index), "circular buffer {} is a remote one", index);
    return Builder(*this, index, false);
  }
  // Its producer and its consumers are on several cores (experimental::GlobalCircularBuffer).
  Builder remote_index(uint8_t index) {
    TT_FATAL(!formats_.contains(index), "circular buffer {} is not a remote one", index);
    TT_FATAL(remotes_.empty() || remotes_.contains(index), "a second remote circular buffer, {}",
             index);
    remotes_.emplace(index, tt::DataFormat::Float32);
    return Builder(*this, index, true);
  }
  const std::map<uint8_t, tt::DataFormat> &remotes() const { return remotes_; }
  bool operator==(const CircularBufferConfig &other) const {
    for (std::size_t i = 0; i < tiles_.size(); ++i)
      if (tiles_[i].has_value() != other.tiles_[i].has_value() ||
          (tiles_[i] && tiles_[i]->get_tile_shape() != other.tiles_[i]->get_tile_shape()))
        return false;
    return total_size_ == other.total_size_ && formats_ == other.formats_ &&
           remotes_ == other.remotes_ && page_sizes_ == other.page_sizes_ &&
           buffer_ == other.buffer_;
  }

private:
  uint32_t total_size_;
  std::map<uint8_t, tt::DataFormat> formats_, remotes_;
  std::map<uint8_t, uint32_t> page_sizes_;
  std::array<std::optional<Tile>, NUM_CIRCULAR_BUFFERS> tiles_;
  const Buffer *buffer_ = nullptr;
};

} // namespace tt::tt_metal
