// A mesh of one device: buffers, workloads and the command queue.
#pragma once

#include <map>

#include <tt-metalium/host_api.hpp>

namespace tt::tt_metal::distributed {

struct MeshShape {
  uint32_t rows = 1, cols = 1;
  MeshShape(uint32_t r = 1, uint32_t c = 1) : rows(r), cols(c) {}
  uint32_t mesh_size() const { return rows * cols; }
};

struct MeshCoordinate {
  MeshCoordinate(uint32_t = 0, uint32_t = 0) {}
  static MeshCoordinate zero_coordinate(std::size_t) { return {}; }
};

class MeshCoordinateRange {
public:
  MeshCoordinateRange(const MeshShape &) {}
  MeshCoordinateRange(const MeshCoordinate &, const MeshCoordinate &) {}
};

class MeshBuffer;

// Runs what it is given at once, in order; nothing is left to wait for.
class MeshCommandQueue {
public:
  template <typename T>
  void enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer> &buffer, const T *data,
                                 bool blocking);
  void finish() {}
};

// There is one emulated device a process.
class MeshDevice {
public:
  static std::shared_ptr<MeshDevice> create_unit_mesh(int device_id, ...) {
    (void)device_id;
    ttemu_open();
    return std::shared_ptr<MeshDevice>(new MeshDevice());
  }
  MeshCommandQueue &mesh_command_queue(std::size_t id = 0) {
    (void)id;
    return queue_;
  }
  MeshShape shape() const { return {}; }
  std::size_t num_devices() const { return 1; }
  int id() const { return 0; }
  tt::ARCH arch() const {
    return std::string(ttemu_arch()) == "blackhole" ? tt::ARCH::BLACKHOLE : tt::ARCH::WORMHOLE_B0;
  }
  CoreCoord compute_with_storage_grid_size() const { return {ttemu_grid_x(), ttemu_grid_y()}; }
  CoreCoord logical_grid_size() const { return compute_with_storage_grid_size(); }
  CoreCoord grid_size() const { return compute_with_storage_grid_size(); }
  uint32_t num_dram_channels() const { return ttemu_dram_banks(); }
  uint32_t l1_size_per_core() const { return ttemu_l1_bytes(); }
  // NoC coordinates of a worker core.
  CoreCoord worker_core_from_logical_core(const CoreCoord &core) const {
    return {core.x + TTEMU_NOC_ORIGIN, core.y + TTEMU_NOC_ORIGIN};
  }
  bool close() {
    ttemu_close();
    return true;
  }

private:
  MeshCommandQueue queue_;
};

struct DeviceLocalBufferConfig {
  uint64_t page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  BufferShardingArgs sharding_args;
  std::optional<bool> bottom_up;
};
struct ReplicatedBufferConfig {
  uint64_t size = 0;
};
// Over the devices of a mesh, of which there is one.
struct ShardedBufferConfig {
  uint64_t global_size = 0;
  std::array<std::size_t, 2> global_buffer_shape{}, shard_shape{};
  ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;
};
using MeshBufferConfig = std::variant<ReplicatedBufferConfig, ShardedBufferConfig>;

class MeshBuffer {
public:
  static std::shared_ptr<MeshBuffer> create(const MeshBufferConfig &config,
                                            const DeviceLocalBufferConfig &local, MeshDevice *) {
    const auto *sharded = std::get_if<ShardedBufferConfig>(&config);
    const uint64_t size =
        sharded ? sharded->global_size : std::get<ReplicatedBufferConfig>(config).size;
    return std::shared_ptr<MeshBuffer>(new MeshBuffer(size, local));
  }
  uint32_t address() const { return buffer_->address(); }
  uint64_t size() const { return buffer_->size(); }
  uint64_t device_local_size() const { return size(); }
  uint32_t page_size() const { return buffer_->page_size(); }
  uint32_t num_pages() const { return buffer_->num_pages(); }
  bool is_dram() const { return buffer_->is_dram(); }
  Buffer *get_backing_buffer() const { return buffer_.get(); }
  Buffer *get_reference_buffer() const { return buffer_.get(); }
  Buffer *get_device_buffer(const MeshCoordinate &) const { return buffer_.get(); }
  void deallocate() { buffer_.reset(); }

private:
  MeshBuffer(uint64_t size, const DeviceLocalBufferConfig &local)
      : buffer_(std::make_unique<Buffer>(size, local.page_size, local.buffer_type,
                                         local.sharding_args)) {}
  std::unique_ptr<Buffer> buffer_;
};

class MeshWorkload {
public:
  void add_program(const MeshCoordinateRange &range, Program &&program) {
    programs_.emplace_back(range, std::move(program));
  }
  std::vector<std::pair<MeshCoordinateRange, Program>> &get_programs() { return programs_; }

private:
  std::vector<std::pair<MeshCoordinateRange, Program>> programs_;
};

template <typename T>
void EnqueueWriteMeshBuffer(MeshCommandQueue &, const std::shared_ptr<MeshBuffer> &buffer,
                            const std::vector<T> &data, bool blocking = false) {
  (void)blocking;
  const uint64_t bytes = data.size() * sizeof(T);
  TT_FATAL(bytes <= buffer->size(), "{} bytes are written to a buffer that has {}", bytes,
           buffer->size());
  ttemu_buffer_write(buffer->get_backing_buffer()->handle(), 0, data.data(), bytes);
}
template <typename T>
void MeshCommandQueue::enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer> &buffer,
                                                 const T *data, bool) {
  ttemu_buffer_write(buffer->get_backing_buffer()->handle(), 0, data, buffer->size());
}

// The vector takes the size of the buffer.
template <typename T>
void EnqueueReadMeshBuffer(MeshCommandQueue &, std::vector<T> &data,
                           const std::shared_ptr<MeshBuffer> &buffer, bool blocking = true) {
  (void)blocking;
  data.resize(buffer->size() / sizeof(T));
  ttemu_buffer_read(buffer->get_backing_buffer()->handle(), 0, data.data(),
                    data.size() * sizeof(T));
}

inline void EnqueueMeshWorkload(MeshCommandQueue &, MeshWorkload &workload, bool blocking) {
  (void)blocking;
  for (auto &[range, program] : workload.get_programs()) ttemu_run(program.handle());
}

template <typename T>
void WriteShard(MeshCommandQueue &queue, const std::shared_ptr<MeshBuffer> &buffer,
                const std::vector<T> &data, const MeshCoordinate &, bool blocking = false) {
  EnqueueWriteMeshBuffer(queue, buffer, data, blocking);
}
template <typename T>
void ReadShard(MeshCommandQueue &queue, std::vector<T> &data,
               const std::shared_ptr<MeshBuffer> &buffer, const MeshCoordinate &,
               bool blocking = true) {
  EnqueueReadMeshBuffer(queue, data, buffer, blocking);
}

inline void Finish(MeshCommandQueue &) {}

} // namespace tt::tt_metal::distributed
