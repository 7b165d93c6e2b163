// Buffers in DRAM and L1, interleaved over all banks or sharded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/core_coord.hpp>

#include "ttemu/device.h"

namespace tt::tt_metal {

enum class BufferType { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };
enum class TensorMemoryLayout {
  INTERLEAVED = 0,
  HEIGHT_SHARDED = 2,
  WIDTH_SHARDED = 3,
  BLOCK_SHARDED = 4,
  ND_SHARDED = 5
};
enum class ShardOrientation { ROW_MAJOR = 0, COL_MAJOR = 1 };

// Which cores hold shards, and how many elements a shard has.
struct ShardSpec {
  CoreRangeSet grid;
  std::array<uint32_t, 2> shape;
  ShardOrientation orientation = ShardOrientation::ROW_MAJOR;
  ShardSpec(CoreRangeSet cores, const std::array<uint32_t, 2> &elements,
            ShardOrientation order = ShardOrientation::ROW_MAJOR)
      : grid(std::move(cores)), shape(elements), orientation(order) {}
  uint32_t num_cores() const { return grid.num_cores(); }
  uint32_t numel() const { return shape[0] * shape[1]; }
};

// The same, with the size of a page in elements and that of the tensor in pages.
struct ShardSpecBuffer {
  ShardSpec tensor_shard_spec;
  std::array<uint32_t, 2> page_shape, tensor2d_shape_in_pages;
  ShardSpecBuffer(const CoreRangeSet &cores, const std::array<uint32_t, 2> &shape,
                  ShardOrientation order, const std::array<uint32_t, 2> &page,
                  const std::array<uint32_t, 2> &tensor)
      : tensor_shard_spec(cores, shape, order), page_shape(page), tensor2d_shape_in_pages(tensor) {}
  ShardSpecBuffer(const ShardSpec &spec, const std::array<uint32_t, 2> &page,
                  const std::array<uint32_t, 2> &tensor)
      : tensor_shard_spec(spec), page_shape(page), tensor2d_shape_in_pages(tensor) {}
  CoreRangeSet grid() const { return tensor_shard_spec.grid; }
  std::array<uint32_t, 2> shape() const { return tensor_shard_spec.shape; }
  ShardOrientation orientation() const { return tensor_shard_spec.orientation; }
  std::array<uint32_t, 2> shape_in_pages() const {
    return {shape()[0] / page_shape[0], shape()[1] / page_shape[1]};
  }
  uint32_t num_pages() const { return shape_in_pages()[0] * shape_in_pages()[1]; }
};

// How a buffer is sharded, if it is.
class BufferShardingArgs {
public:
  BufferShardingArgs() = default;
  BufferShardingArgs(std::nullopt_t) {}
  BufferShardingArgs(std::optional<ShardSpecBuffer> spec, TensorMemoryLayout layout)
      : spec_(std::move(spec)), layout_(layout) {}
  const std::optional<ShardSpecBuffer> &shard_spec() const { return spec_; }
  TensorMemoryLayout buffer_layout() const { return layout_; }

  // As ttemu/device.h has it; empty if interleaved.
  std::vector<uint32_t> shards(bool dram) const {
    std::vector<uint32_t> words;
    if (!spec_ || layout_ == TensorMemoryLayout::INTERLEAVED) return words;
    const auto tensor = spec_->tensor2d_shape_in_pages, shard = spec_->shape_in_pages();
    TT_FATAL(spec_->page_shape[0] != 0 && spec_->page_shape[1] != 0 && shard[0] != 0 &&
                 shard[1] != 0 && spec_->shape()[0] % spec_->page_shape[0] == 0 &&
                 spec_->shape()[1] % spec_->page_shape[1] == 0,
             "a shard has a whole number of pages");
    const bool rows = spec_->orientation() == ShardOrientation::ROW_MAJOR;
    const std::vector<CoreCoord> cores = corerange_to_cores(spec_->grid(), std::nullopt, rows);
    const uint32_t shards =
        (tensor[0] + shard[0] - 1) / shard[0] * ((tensor[1] + shard[1] - 1) / shard[1]);
    TT_FATAL(shards <= cores.size(), "{} shards need as many cores, but there are {}", shards,
             cores.size());
    words = {2, static_cast<uint32_t>(cores.size()), tensor[0], tensor[1], shard[0], shard[1]};
    for (const CoreCoord &c : cores)
      words.push_back(dram ? static_cast<uint32_t>(c.x) : TTEMU_L1_BANK(c.x, c.y));
    return words;
  }

private:
  std::optional<ShardSpecBuffer> spec_;
  TensorMemoryLayout layout_ = TensorMemoryLayout::INTERLEAVED;
};

// Owns memory of the device.
class Buffer {
public:
  Buffer(uint64_t size, uint64_t page_size, BufferType type, const BufferShardingArgs &sharding)
      : size_(size), page_size_(static_cast<uint32_t>(page_size)), type_(type),
        sharding_(sharding) {
    const std::vector<uint32_t> shards = sharding.shards(is_dram());
    handle_ =
        ttemu_buffer_create(is_dram(), size, page_size_, shards.empty() ? nullptr : shards.data());
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { ttemu_buffer_destroy(handle_); }
  uint32_t address() const { return ttemu_buffer_address(handle_); }
  uint64_t size() const { return size_; }
  uint32_t page_size() const { return page_size_; }
  uint32_t num_pages() const { return static_cast<uint32_t>(size_ / page_size_); }
  uint32_t aligned_page_size() const { return page_size_; }
  BufferType buffer_type() const { return type_; }
  TensorMemoryLayout buffer_layout() const { return sharding_.buffer_layout(); }
  bool is_dram() const { return type_ == BufferType::DRAM; }
  bool is_l1() const { return !is_dram(); }
  ttemu_buffer *handle() const { return handle_; }

private:
  uint64_t size_;
  uint32_t page_size_;
  BufferType type_;
  BufferShardingArgs sharding_;
  ttemu_buffer *handle_;
};

} // namespace tt::tt_metal
