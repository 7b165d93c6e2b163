// Buffers in DRAM and L1, interleaved over all banks or sharded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tt-metalium/allocator.hpp>
#include <tt-metalium/assert.hpp>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/buffer_distribution_spec.hpp>
#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/hal_types.hpp>
#include <tt-metalium/sub_device_types.hpp>

#include <umd/device/types/core_coordinates.hpp>

#include "ttemu/host_calls.h"

namespace tt::tt_metal {

namespace detail {
// The format of numbers of the host; words may be anything packed.
template <typename T> constexpr int format_of() {
  if constexpr (std::is_same_v<std::remove_cv_t<T>, bfloat16>) return TTEMU_FLOAT16_B;
  else if constexpr (std::is_same_v<std::remove_cv_t<T>, float>) return TTEMU_FLOAT32;
  else return -1;
}
} // namespace detail

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
  bool operator==(const ShardSpec &) const = default;

  static constexpr auto attribute_names = std::forward_as_tuple("grid", "shape", "orientation");
  auto attribute_values() const { return std::forward_as_tuple(grid, shape, orientation); }
};
inline std::ostream &operator<<(std::ostream &out, const ShardSpec &spec) {
  return out << spec.grid << ", " << spec.shape[0] << "x" << spec.shape[1];
}

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
  BufferShardingArgs(ShardSpecBuffer spec, TensorMemoryLayout layout)
      : spec_(std::move(spec)), layout_(layout) {}
  BufferShardingArgs(BufferDistributionSpec distribution)
      : distribution_(std::move(distribution)), layout_(TensorMemoryLayout::BLOCK_SHARDED) {}
  BufferShardingArgs(std::optional<BufferDistributionSpec> distribution)
      : distribution_(std::move(distribution)),
        layout_(distribution_ ? TensorMemoryLayout::BLOCK_SHARDED
                              : TensorMemoryLayout::INTERLEAVED) {}
  BufferShardingArgs(std::optional<BufferDistributionSpec> distribution,
                     std::optional<ShardSpecBuffer> spec, TensorMemoryLayout layout)
      : distribution_(std::move(distribution)), spec_(std::move(spec)), layout_(layout) {}
  const std::optional<BufferDistributionSpec> &buffer_distribution_spec() const {
    return distribution_;
  }
  const std::optional<ShardSpecBuffer> &shard_spec() const { return spec_; }
  TensorMemoryLayout buffer_layout() const { return layout_; }

  // As ttemu/kernel_calls.h has it; empty if interleaved.
  std::vector<uint32_t> shards(bool dram) const {
    std::vector<uint32_t> words;
    if (distribution_) return distributed(dram);
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
    for (const CoreCoord &c : cores) words.push_back(bank_of(c, dram));
    return words;
  }

private:
  static uint32_t bank_of(const CoreCoord &c, bool dram) {
    return dram ? static_cast<uint32_t>(c.x) : TTEMU_L1_BANK(c.x, c.y);
  }
  std::vector<uint32_t> distributed(bool dram) const {
    const Shape &tensor = distribution_->tensor_shape_in_pages(),
                &shard = distribution_->shard_shape_in_pages();
    std::vector<uint32_t> words = {static_cast<uint32_t>(tensor.rank()),
                                   static_cast<uint32_t>(distribution_->num_cores())};
    words.insert(words.end(), tensor.begin(), tensor.end());
    words.insert(words.end(), shard.begin(), shard.end());
    for (const CoreCoord &c : distribution_->cores()) words.push_back(bank_of(c, dram));
    return words;
  }

  std::optional<BufferDistributionSpec> distribution_;
  std::optional<ShardSpecBuffer> spec_;
  TensorMemoryLayout layout_ = TensorMemoryLayout::INTERLEAVED;
};

class IDevice;

// What CreateBuffer makes.
struct BufferConfig {
  IDevice *device = nullptr;
  DeviceAddr size = 0, page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
#if defined(TTEMU_API) && TTEMU_API < 202603
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
#endif
};
using InterleavedBufferConfig = BufferConfig;
struct ShardedBufferConfig {
  IDevice *device = nullptr;
  DeviceAddr size = 0, page_size = 0;
  BufferType buffer_type = BufferType::L1;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
  ShardSpecBuffer shard_parameters;
};

struct BufferRegion {
  DeviceAddr offset, size;
  BufferRegion(DeviceAddr at, DeviceAddr bytes) : offset(at), size(bytes) {}
};

// Owns memory of a device, or, at a given address, looks at what is there. On a mesh it has the
// same address on each device; `on_device` is the one that reads and writes go to.
class Buffer {
public:
  Buffer(uint64_t size, uint64_t page_size, BufferType type,
         const BufferShardingArgs &sharding = {}, IDevice *device = nullptr,
         std::optional<DeviceAddr> address = std::nullopt)
      : size_(size), page_size_(static_cast<uint32_t>(page_size)), type_(type), sharding_(sharding),
        device_(device) {
    const std::vector<uint32_t> shards = sharding.shards(is_dram());
    const uint32_t *places = shards.empty() ? nullptr : shards.data();
    handle_.reset(address ? ttemu_buffer_at(is_dram(), size, page_size_, places, uint32_t(*address))
                          : ttemu_buffer_create(is_dram(), size, page_size_, places),
                  ttemu_buffer_destroy);
  }
#if defined(TTEMU_API) && TTEMU_API < 202603
  Buffer(IDevice *device, DeviceAddr size, DeviceAddr page_size, BufferType type,
         TensorMemoryLayout layout = TensorMemoryLayout::INTERLEAVED,
         const std::optional<ShardSpecBuffer> &spec = std::nullopt)
      : Buffer(size, page_size, type, BufferShardingArgs(spec, layout), device) {}
#endif
  static std::shared_ptr<Buffer> create(IDevice *device, DeviceAddr size, DeviceAddr page_size,
                                        BufferType type, const BufferShardingArgs &sharding = {},
                                        std::optional<bool> = std::nullopt,
                                        std::optional<SubDeviceId> = std::nullopt) {
    return std::make_shared<Buffer>(size, page_size, type, sharding, device);
  }
  static std::shared_ptr<Buffer> create(IDevice *device, DeviceAddr address, DeviceAddr size,
                                        DeviceAddr page_size, BufferType type,
                                        const BufferShardingArgs &sharding = {},
                                        std::optional<bool> = std::nullopt,
                                        std::optional<SubDeviceId> = std::nullopt) {
    return std::make_shared<Buffer>(size, page_size, type, sharding, device, address);
  }
  Buffer(const Buffer &) = default;
  // The same memory on another device of the mesh.
  std::shared_ptr<Buffer> on(IDevice *device, uint32_t index) const {
    auto other = std::make_shared<Buffer>(*this);
    other->device_ = device, other->on_device = index;
    return other;
  }
  IDevice *device() const { return device_; }
  const Allocator *allocator() const {
    static const Allocator only;
    return &only;
  }
  uint32_t address() const { return ttemu_buffer_address(handle()); }
#if defined(TTEMU_API) && TTEMU_API < 202603
  // Where a bank is on the NoC; kernels gave that to get_noc_addr.
  CoreCoord noc_coordinates(uint32_t bank = 0) const {
    uint32_t x = 0, y = 0;
    TT_FATAL(ttemu_bank_node(is_dram(), bank, &x, &y), "bank {} of memory that has fewer", bank);
    return {x, y};
  }
#endif
  DeviceAddr size() const { return size_; }
  DeviceAddr page_size() const { return page_size_; }
  uint32_t num_pages() const { return static_cast<uint32_t>(size_ / page_size_); }
  uint32_t num_dev_pages() const { return num_pages(); }
  DeviceAddr aligned_page_size() const { return ttemu_aligned_page(is_dram(), page_size_); }
  uint32_t alignment() const { return ttemu_aligned_page(is_dram(), 1); }
  DeviceAddr aligned_size() const { return aligned_page_size() * num_pages(); }
  DeviceAddr aligned_size_per_bank() const { return ttemu_buffer_share(handle()); }
  BufferType buffer_type() const { return type_; }
  TensorMemoryLayout buffer_layout() const { return sharding_.buffer_layout(); }
  bool is_dram() const { return type_ == BufferType::DRAM || type_ == BufferType::TRACE; }
  bool is_trace() const { return type_ == BufferType::TRACE; }
  CoreType core_type() const { return is_dram() ? CoreType::DRAM : CoreType::WORKER; }
  // Of an interleaved buffer: a page in its bank.
  DeviceAddr page_address(DeviceAddr bank, DeviceAddr page) const {
    const DeviceAddr banks = allocator()->get_num_banks(type_);
    TT_FATAL(!is_sharded_() && page % banks == bank, "page {} is not in bank {}", page, bank);
    return address() + page / banks * aligned_page_size();
  }
  bool is_l1() const { return !is_dram(); }
  bool is_allocated() const { return handle_ != nullptr; }
  const std::optional<BufferDistributionSpec> &buffer_distribution_spec() const {
    return sharding_.buffer_distribution_spec();
  }
  bool has_shard_spec() const { return sharding_.shard_spec().has_value(); }
  ShardSpecBuffer shard_spec() const {
    TT_FATAL(has_shard_spec(), "the buffer is not sharded");
    return *sharding_.shard_spec();
  }
  std::optional<uint32_t> num_cores() const {
    if (!has_shard_spec()) return std::nullopt;
    return shard_spec().tensor_shard_spec.num_cores();
  }
  ttemu_buffer *handle() const {
    TT_FATAL(handle_ != nullptr, "the buffer was deallocated");
    return handle_.get();
  }
  void deallocate() { handle_.reset(); }
  bool is_valid_region(const BufferRegion &r) const { return r.offset + r.size <= size(); }
  bool is_valid_partial_region(const BufferRegion &r) const {
    return is_valid_region(r) && (r.offset > 0 || r.size != size());
  }

  // Bytes of the device that this one is on.
  void write(uint64_t offset, const void *data, uint64_t bytes) const {
    ttemu_choose(on_device);
    ttemu_buffer_write(handle(), offset, data, bytes);
  }
  void read(uint64_t offset, void *data, uint64_t bytes) const {
    ttemu_choose(on_device);
    ttemu_buffer_read(handle(), offset, data, bytes);
  }
  void read(uint64_t offset, void *data, uint64_t bytes, bool waits) const {
    ttemu_choose(on_device);
    if (waits) ttemu_reads_arrive();
    (waits ? ttemu_buffer_read : ttemu_buffer_read_late)(handle(), offset, data, bytes);
  }
  // Of a whole buffer, from memory of the host that may be smaller or larger than it.
  void write_all(const void *data, uint64_t bytes) const {
    write(0, data, bytes < size_ ? bytes : size_);
    if (bytes < size_) ttemu_buffer_lacks(handle(), bytes, size_);
  }
  // What the numbers are that it holds, as the host writes or reads them.
  template <typename T> void holds() const { ttemu_buffer_holds(handle(), detail::format_of<T>()); }
  template <typename T> void is_read_as() const {
    ttemu_buffer_is_read_as(handle(), detail::format_of<T>());
  }
  uint32_t on_device = 0;

private:
  bool is_sharded_() const { return !sharding_.shards(is_dram()).empty(); }
  uint64_t size_;
  uint32_t page_size_;
  BufferType type_;
  BufferShardingArgs sharding_;
  IDevice *device_;
  std::shared_ptr<ttemu_buffer> handle_;
};

inline void DeallocateBuffer(Buffer &buffer) { buffer.deallocate(); }
inline bool is_sharded(TensorMemoryLayout layout) {
  return layout != TensorMemoryLayout::INTERLEAVED;
}

} // namespace tt::tt_metal
