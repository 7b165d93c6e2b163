// A mesh of one device: buffers, workloads and the command queue.
#pragma once

#include <tt-metalium/host_api.hpp>

namespace tt::tt_metal::distributed {

struct MeshShape {
  uint32_t rows = 1, cols = 1;
};

struct MeshCoordinate {
  MeshCoordinate(uint32_t, uint32_t) {}
};

class MeshCoordinateRange {
public:
  MeshCoordinateRange(const MeshShape &) {}
};

class MeshCommandQueue {};

class MeshDevice {
public:
  static std::shared_ptr<MeshDevice> create_unit_mesh(int device_id) {
    (void)device_id;
    ttemu_open();
    return std::shared_ptr<MeshDevice>(new MeshDevice());
  }
  MeshCommandQueue &mesh_command_queue(std::size_t id = 0) {
    (void)id;
    return queue_;
  }
  MeshShape shape() const { return {}; }
  CoreCoord compute_with_storage_grid_size() const { return {ttemu_grid_x(), ttemu_grid_y()}; }
  CoreCoord logical_grid_size() const { return compute_with_storage_grid_size(); }
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
};
struct ReplicatedBufferConfig {
  uint64_t size = 0;
};

class MeshBuffer {
public:
  static std::shared_ptr<MeshBuffer> create(const ReplicatedBufferConfig &config,
                                            const DeviceLocalBufferConfig &local, MeshDevice *) {
    return std::shared_ptr<MeshBuffer>(new MeshBuffer(config, local));
  }
  uint64_t address() const { return address_; }
  uint64_t size() const { return size_; }
  uint32_t page_size() const { return page_size_; }
  bool is_dram() const { return dram_; }

private:
  MeshBuffer(const ReplicatedBufferConfig &config, const DeviceLocalBufferConfig &local)
      : size_(config.size), page_size_(static_cast<uint32_t>(local.page_size)),
        dram_(local.buffer_type == BufferType::DRAM), address_(ttemu_alloc(dram_, size_, page_size_)) {}
  uint64_t size_;
  uint32_t page_size_;
  bool dram_;
  uint32_t address_;
};

class MeshWorkload {
public:
  void add_program(const MeshCoordinateRange &, Program &&program) {
    programs_.push_back(std::move(program));
  }
  std::vector<Program> &programs() { return programs_; }

private:
  std::vector<Program> programs_;
};

template <typename T>
void EnqueueWriteMeshBuffer(MeshCommandQueue &, const std::shared_ptr<MeshBuffer> &buffer,
                            const std::vector<T> &data, bool blocking = false) {
  (void)blocking;
  const uint64_t bytes = data.size() * sizeof(T);
  ttemu_write(buffer->is_dram(), static_cast<uint32_t>(buffer->address()), buffer->page_size(),
              data.data(), bytes < buffer->size() ? bytes : buffer->size());
}

template <typename T>
void EnqueueReadMeshBuffer(MeshCommandQueue &, std::vector<T> &data,
                           const std::shared_ptr<MeshBuffer> &buffer, bool blocking = true) {
  (void)blocking;
  data.resize(buffer->size() / sizeof(T));
  ttemu_read(buffer->is_dram(), static_cast<uint32_t>(buffer->address()), buffer->page_size(),
             data.data(), data.size() * sizeof(T));
}

inline void EnqueueMeshWorkload(MeshCommandQueue &, MeshWorkload &workload, bool blocking) {
  (void)blocking;
  for (Program &program : workload.programs()) ttemu_run(program.handle());
}

// Vectors grow to what is read; the device has one queue, which runs in order.
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

}  // namespace tt::tt_metal::distributed
