// Buffers on the devices of a mesh: each has all of the data, or each a part.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <tt-metalium/buffer.hpp>
#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/shape2d.hpp>

namespace tt::tt_metal::distributed {

// How the part of one device lies there.
struct DeviceLocalBufferConfig {
  DeviceAddr page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
#if defined(TTEMU_API) && TTEMU_API < 202603
  // To the middle of 2025, instead of `sharding_args`.
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
  std::optional<ShardSpecBuffer> shard_parameters;
  BufferShardingArgs sharding_args;
  BufferShardingArgs sharding() const {
    return shard_parameters ? BufferShardingArgs(*shard_parameters, buffer_layout) : sharding_args;
  }
#else
  BufferShardingArgs sharding_args;
  const BufferShardingArgs &sharding() const { return sharding_args; }
#endif
  std::optional<bool> bottom_up;
  std::optional<SubDeviceId> sub_device_id;
};
struct ReplicatedBufferConfig {
  DeviceAddr size = 0;
};
// A matrix, cut into shards that go to the devices in turn. A shard with no height or width is as
// high or wide as the matrix, and goes to all rows or columns of devices.
struct ShardedBufferConfig {
  DeviceAddr global_size = 0;
  Shape2D global_buffer_shape = {0, 0};
  Shape2D shard_shape = {0, 0};
  ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;
  uint32_t compute_datum_size_bytes() const {
    return static_cast<uint32_t>(global_size /
                                 (global_buffer_shape.height() * global_buffer_shape.width()));
  }
  std::pair<bool, bool> replicated_dims() const {
    return {shard_shape.height() == 0, shard_shape.width() == 0};
  }
  Shape2D physical_shard_shape() const {
    return {shard_shape.height() ? shard_shape.height() : global_buffer_shape.height(),
            shard_shape.width() ? shard_shape.width() : global_buffer_shape.width()};
  }
};
enum class MeshBufferLayout : uint8_t { REPLICATED, SHARDED };
using MeshBufferConfig = std::variant<ReplicatedBufferConfig, ShardedBufferConfig>;

class MeshBuffer {
public:
  static std::shared_ptr<MeshBuffer> create(const MeshBufferConfig &config,
                                            const DeviceLocalBufferConfig &local, MeshDevice *mesh,
                                            std::optional<DeviceAddr> address = std::nullopt) {
    return std::shared_ptr<MeshBuffer>(new MeshBuffer(config, local, mesh, address));
  }
  MeshDevice *device() const { return mesh_; }
  DeviceAddr address() const { return address_; }
  DeviceAddr size() const {
    const auto *sharded = std::get_if<ShardedBufferConfig>(&config_);
    return sharded ? sharded->global_size : local_size_;
  }
  DeviceAddr device_local_size() const { return local_size_; }
  uint32_t page_size() const { return static_cast<uint32_t>(local_.page_size); }
  uint32_t num_pages() const { return static_cast<uint32_t>(local_size_ / local_.page_size); }
  bool is_allocated() const { return !parts_.empty(); }
  bool is_dram() const { return get_backing_buffer()->is_dram(); }
  MeshBufferLayout global_layout() const {
    return std::holds_alternative<ShardedBufferConfig>(config_) ? MeshBufferLayout::SHARDED
                                                                : MeshBufferLayout::REPLICATED;
  }
  const MeshBufferConfig &global_config() const { return config_; }
  const ShardedBufferConfig &global_shard_spec() const {
    return std::get<ShardedBufferConfig>(config_);
  }
  const DeviceLocalBufferConfig &device_local_config() const { return local_; }
  Buffer *get_backing_buffer() const {
    TT_FATAL(is_allocated(), "the buffer was deallocated");
    return parts_.front().get();
  }
  Buffer *get_reference_buffer() const { return get_backing_buffer(); }
  Buffer *get_device_buffer(const MeshCoordinate &at) const {
    return parts_.at(at.to_linear_index(mesh_->shape())).get();
  }
  void deallocate() { parts_.clear(); }

  // What each device has of the data, written from or read to the host's memory.
  void write(const void *data, uint64_t bytes) const {
    const uint8_t *from = static_cast<const uint8_t *>(data);
    if (global_layout() == MeshBufferLayout::REPLICATED) {
      for (const auto &part : parts_) part->write_all(from, bytes);
      return;
    }
    std::vector<uint8_t> whole;
    if (bytes < size()) { /* the rest of it is zero */
      ttemu_buffer_lacks(get_backing_buffer()->handle(), bytes, size());
      whole.resize(size());
      std::memcpy(whole.data(), from, bytes);
      from = whole.data();
    }
    std::vector<uint8_t> shard(local_size_);
    for_each_shard([&](Buffer &part, std::size_t row, std::size_t col, bool) {
      for_each_row(row, col, [&](std::size_t at, std::size_t in_shard, std::size_t n) {
        std::memcpy(shard.data() + in_shard, from + at, n);
      });
      part.write(0, shard.data(), shard.size());
    });
  }
  void read(void *data) const {
    uint8_t *to = static_cast<uint8_t *>(data);
    if (global_layout() == MeshBufferLayout::REPLICATED) {
      get_backing_buffer()->read(0, to, size());
      return;
    }
    std::vector<uint8_t> shard(local_size_);
    for_each_shard([&](Buffer &part, std::size_t row, std::size_t col, bool first) {
      if (!first) return;
      part.read(0, shard.data(), shard.size());
      for_each_row(row, col, [&](std::size_t at, std::size_t in_shard, std::size_t n) {
        std::memcpy(to + at, shard.data() + in_shard, n);
      });
    });
  }

private:
  MeshBuffer(const MeshBufferConfig &config, const DeviceLocalBufferConfig &local, MeshDevice *mesh,
             std::optional<DeviceAddr> address)
      : config_(config), local_(local), mesh_(mesh) {
    TT_FATAL(mesh != nullptr, "a buffer needs a mesh of devices");
    if (const auto *s = std::get_if<ShardedBufferConfig>(&config)) {
      const Shape2D shard = s->physical_shard_shape();
      TT_FATAL(shard.height() * shard.width() != 0 && s->global_size != 0,
               "a sharded buffer is empty");
      local_size_ = shard.height() * shard.width() * s->compute_datum_size_bytes();
    } else {
      local_size_ = std::get<ReplicatedBufferConfig>(config).size;
    }
    const auto first = std::make_shared<Buffer>(local_size_, local.page_size, local.buffer_type,
                                                local.sharding(), mesh, address);
    for (IDevice *device : mesh->get_devices())
      parts_.push_back(first->on(device, device->number()));
    address_ = first->address();
  }
  // Calls f(buffer, row, column of the shard, whether it is the shard's first device).
  template <typename F> void for_each_shard(F f) const {
    const ShardedBufferConfig &s = global_shard_spec();
    const Shape2D shard = s.physical_shard_shape();
    const std::size_t rows = (s.global_buffer_shape.height() + shard.height() - 1) / shard.height(),
                      cols = (s.global_buffer_shape.width() + shard.width() - 1) / shard.width();
    const std::size_t height = mesh_->num_rows(), width = mesh_->num_cols();
    const auto [all_rows, all_cols] = s.replicated_dims();
    const bool by_row = s.shard_orientation == ShardOrientation::ROW_MAJOR;
    TT_FATAL(rows * cols <= parts_.size(), "{} shards need as many devices, but there are {}",
             rows * cols, parts_.size());
    if (all_rows || all_cols) {
      for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
          const std::size_t row = all_rows ? 0
                                  : by_row ? y
                                           : x,
                            col = all_cols ? 0
                                  : by_row ? x
                                           : y;
          if (row < rows && col < cols)
            f(*parts_[y * width + x], row, col,
              (!all_rows || (by_row ? y : x) == 0) && (!all_cols || (by_row ? x : y) == 0));
        }
      return;
    }
    for (std::size_t i = 0; i < rows * cols; ++i) {
      const std::size_t device = by_row ? i : i % height * width + i / height;
      f(*parts_[device], i / cols, i % cols, true);
    }
  }
  // Calls f(offset in the data, offset in the shard, bytes) for each row of a shard.
  template <typename F> void for_each_row(std::size_t row, std::size_t col, F f) const {
    const ShardedBufferConfig &s = global_shard_spec();
    const Shape2D shard = s.physical_shard_shape();
    const std::size_t datum = s.compute_datum_size_bytes(), all = s.global_buffer_shape.width();
    for (std::size_t i = 0; i < shard.height(); ++i) {
      const std::size_t y = row * shard.height() + i, x = col * shard.width();
      if (y >= s.global_buffer_shape.height()) return;
      const std::size_t n = x + shard.width() < all ? shard.width() : all - x;
      f((y * all + x) * datum, i * shard.width() * datum, n * datum);
    }
  }
  MeshBufferConfig config_;
  DeviceLocalBufferConfig local_;
  MeshDevice *mesh_;
  DeviceAddr local_size_ = 0, address_ = 0;
  std::vector<std::shared_ptr<Buffer>> parts_;
};

// A buffer of one device, or of all devices of a mesh.
class AnyBuffer {
public:
  AnyBuffer() = default;
  static AnyBuffer create(const tt::tt_metal::ShardedBufferConfig &c,
                          std::optional<uint64_t> address = std::nullopt) {
    return make(c, BufferShardingArgs(c.shard_parameters, c.buffer_layout), address);
  }
  static AnyBuffer create(const tt::tt_metal::InterleavedBufferConfig &c,
                          std::optional<uint64_t> address = std::nullopt) {
    return make(c, {}, address);
  }
  Buffer *get_buffer() const { return mesh_ ? mesh_->get_backing_buffer() : one_.get(); }
  bool is_mesh_buffer() const { return mesh_ != nullptr; }
  std::shared_ptr<MeshBuffer> get_mesh_buffer() const { return mesh_; }

private:
  template <typename Config>
  static AnyBuffer make(const Config &c, const BufferShardingArgs &sharding,
                        std::optional<uint64_t> address) {
    AnyBuffer any;
    if (auto *mesh = dynamic_cast<MeshDevice *>(c.device))
      any.mesh_ = MeshBuffer::create(
          ReplicatedBufferConfig{c.size},
          {.page_size = c.page_size, .buffer_type = c.buffer_type, .sharding_args = sharding}, mesh,
          address);
    else
      any.one_ = tt::tt_metal::detail::local_buffer(c.device, c.size, c.page_size, c.buffer_type,
                                                    sharding, address);
    return any;
  }
  std::shared_ptr<Buffer> one_;
  std::shared_ptr<MeshBuffer> mesh_;
};

} // namespace tt::tt_metal::distributed
