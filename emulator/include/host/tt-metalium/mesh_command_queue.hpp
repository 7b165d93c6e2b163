// The queues of a mesh. What is put on one is done at once, in order, as far as kernels do not wait
// for the host; between begin and end of a trace, workloads are kept instead.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <tt-metalium/mesh_buffer.hpp>
#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/mesh_workload.hpp>

namespace tt::tt_metal::distributed {

class MeshEvent {
public:
#if defined(TTEMU_API) && TTEMU_API < 202603
  MeshEvent() : MeshEvent(0, nullptr, 0, MeshCoordinateRange(MeshShape(1, 1))) {}
#endif
  MeshEvent(uint32_t id, MeshDevice *device, uint32_t queue, const MeshCoordinateRange &range,
            std::span<const SubDeviceId> after = {})
      : id_(id), device_(device), queue_(queue), range_(range), after_(after.begin(), after.end()) {
  }
  uint32_t id() const { return id_; }
  MeshDevice *device() const { return device_; }
  uint32_t mesh_cq_id() const { return queue_; }
  const MeshCoordinateRange &device_range() const { return range_; }
  std::span<const SubDeviceId> after() const { return after_; }

private:
  uint32_t id_;
  MeshDevice *device_;
  uint32_t queue_;
  MeshCoordinateRange range_;
  std::vector<SubDeviceId> after_; // whose programs come before it
};

// One device's part of a transfer.
class ShardDataTransfer {
public:
  explicit ShardDataTransfer(const MeshCoordinate &at) : at_(at) {}
  MeshCoordinate shard_coord() const { return at_; }
  void *host_data() const { return data_; }
  std::optional<BufferRegion> region() const { return region_; }
  ShardDataTransfer &host_data(void *data) { return data_ = data, *this; }
  ShardDataTransfer &region(std::optional<BufferRegion> part) { return region_ = part, *this; }

private:
  MeshCoordinate at_;
  void *data_ = nullptr;
  std::optional<BufferRegion> region_;
};

using MeshTrace = std::vector<std::shared_ptr<MeshWorkload::Programs>>;

class MeshCommandQueue {
public:
  MeshCommandQueue(MeshDevice *mesh, uint32_t id) : mesh_(mesh), id_(id) {}
  MeshDevice *device() const { return mesh_; }
  uint32_t id() const { return id_; }

  void enqueue_mesh_workload(MeshWorkload &workload, bool blocking = false) {
    if (recording) recording->push_back(workload.shared());
    else run(workload.get_programs());
    if (!blocking || recording) return;
    for (auto &[range, program] : workload.get_programs())
      if (ttemu_program_runs(program.handle())) ttemu_wait();
    ttemu_reads_arrive();
  }
  void run(MeshWorkload::Programs &programs) {
    for (auto &[range, program] : programs)
      for (const MeshCoordinate &at : range) {
        ttemu_choose(mesh_->get_device(at)->number());
        ttemu_launch(program.handle(), mesh_->has_sub_devices());
      }
  }
  void enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer> &buffer, const void *data,
                                 bool blocking) {
    wait_for(blocking);
    buffer->write(data, buffer->size());
  }
  void enqueue_read_mesh_buffer(void *data, const std::shared_ptr<MeshBuffer> &buffer,
                                bool blocking) {
    TT_FATAL(blocking,
             "a whole buffer is only read by a call that waits for it; enqueue_read_shards "
             "has others");
    wait_for(true);
    buffer->read(data);
  }
  void enqueue_write_shards(const std::shared_ptr<MeshBuffer> &buffer,
                            const std::vector<distributed::ShardDataTransfer> &transfers,
                            bool blocking) {
    wait_for(blocking);
    for (const distributed::ShardDataTransfer &t : transfers) {
      const Buffer *part = buffer->get_device_buffer(t.shard_coord());
      const BufferRegion region = t.region().value_or(BufferRegion(0, part->size()));
      part->write(region.offset, t.host_data(), region.size);
    }
  }
  // As trees of 2025 write them.
  struct ShardDataTransfer {
    MeshCoordinate shard_coord;
    void *host_data = nullptr;
    std::optional<BufferRegion> region;
    operator distributed::ShardDataTransfer() const {
      return distributed::ShardDataTransfer(shard_coord).host_data(host_data).region(region);
    }
  };
  void enqueue_write_shards(const std::shared_ptr<MeshBuffer> &buffer,
                            const std::vector<ShardDataTransfer> &transfers, bool wait) {
    enqueue_write_shards(
        buffer, std::vector<distributed::ShardDataTransfer>(transfers.begin(), transfers.end()),
        wait);
  }
  void enqueue_read_shards(const std::vector<ShardDataTransfer> &transfers,
                           const std::shared_ptr<MeshBuffer> &buffer, bool wait) {
    enqueue_read_shards(
        std::vector<distributed::ShardDataTransfer>(transfers.begin(), transfers.end()), buffer,
        wait);
  }
  // The same data to each device of a range, or all of a buffer whose parts differ.
  void enqueue_write_shard_to_sub_grid(const MeshBuffer &buffer, const void *data,
                                       const MeshCoordinateRange &range, bool blocking,
                                       std::optional<BufferRegion> part = std::nullopt) {
    wait_for(blocking);
    if (buffer.global_layout() == MeshBufferLayout::SHARDED) {
      TT_FATAL(!part, "parts of a buffer are written to devices that have the same");
      return buffer.write(data, buffer.size());
    }
    for (const MeshCoordinate &at : range) {
      const Buffer *held = buffer.get_device_buffer(at);
      const BufferRegion region = part.value_or(BufferRegion(0, held->size()));
      held->write(region.offset, data, region.size);
    }
  }
  void enqueue_read_shards(const std::vector<distributed::ShardDataTransfer> &transfers,
                           const std::shared_ptr<MeshBuffer> &buffer, bool blocking) {
    wait_for(blocking);
    for (const distributed::ShardDataTransfer &t : transfers) {
      const Buffer *part = buffer->get_device_buffer(t.shard_coord());
      const BufferRegion region = t.region().value_or(BufferRegion(0, part->size()));
      part->read(region.offset, t.host_data(), region.size, blocking);
    }
  }
  MeshEvent enqueue_record_event(std::span<const SubDeviceId> sub = {},
                                 const std::optional<MeshCoordinateRange> &range = std::nullopt) {
    return MeshEvent(++events_, mesh_, id_, range.value_or(MeshCoordinateRange(mesh_->shape())),
                     sub);
  }
  MeshEvent
  enqueue_record_event_to_host(std::span<const SubDeviceId> sub = {},
                               const std::optional<MeshCoordinateRange> &range = std::nullopt) {
    return enqueue_record_event(sub, range);
  }
  void enqueue_wait_for_event(const MeshEvent &) {}
  bool has_issued(const MeshEvent &event) const { return event.id() <= events_; }
  // Kernels that wait for the host have not ended: what follows them in the queue has to.
  void finish(std::span<const SubDeviceId> sub = {}) {
    mesh_->wait_for(sub);
    ttemu_reads_arrive();
  }
  MeshTrace *recording = nullptr;

private:
  // What is issued next comes after all before it; whether the host waits for it.
  void wait_for(bool blocking) {
    mesh_->wait_for({});
    if (blocking) ttemu_reads_arrive();
  }
  MeshDevice *mesh_;
  uint32_t id_, events_ = 0;
};

struct MeshState {
  std::vector<std::unique_ptr<MeshCommandQueue>> queues;
  std::map<uint32_t, MeshTrace> traces;
};

/*===- What a mesh device does with them ------------------------------------------------===*/

inline MeshDevice::MeshDevice(int id, const MeshShape &shape,
                              std::vector<std::shared_ptr<IDevice>> devices)
    : IDevice(id, devices.front()->number()), shape_(shape), devices_(std::move(devices)),
      state_(std::make_shared<MeshState>()) {
  for (uint32_t queue = 0; queue < 2; ++queue)
    state_->queues.push_back(std::make_unique<MeshCommandQueue>(this, queue));
}
inline std::shared_ptr<MeshDevice> MeshDevice::make(const MeshShape &shape,
                                                    const std::vector<int> &ids) {
  std::vector<std::shared_ptr<IDevice>> devices;
  const std::vector<uint32_t> numbers = tt::tt_metal::detail::open_devices(shape.mesh_size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    devices.push_back(std::make_shared<IDevice>(i < ids.size() ? ids[i] : int(i), numbers[i]));
  const int id = devices.front()->id();
  return std::shared_ptr<MeshDevice>(new MeshDevice(id, shape, std::move(devices)));
}
inline std::shared_ptr<MeshDevice> MeshDevice::create(const MeshDeviceConfig &config, std::size_t,
                                                      std::size_t, std::size_t,
                                                      const DispatchCoreConfig &,
                                                      std::span<const uint32_t>, std::size_t) {
  return make(config.mesh_shape().value_or(MeshShape(2, TTEMU_DEVICES / 2)),
              config.physical_device_ids());
}
inline std::shared_ptr<MeshDevice>
MeshDevice::create_unit_mesh(int id, std::size_t, std::size_t, std::size_t,
                             const DispatchCoreConfig &, std::span<const uint32_t>, std::size_t) {
  return make(MeshShape(1, 1), {id});
}
inline MeshCommandQueue &MeshDevice::mesh_command_queue(std::optional<uint8_t> id) const {
  TT_FATAL(id.value_or(0) < 2, "command queue {}: there are 2", int(id.value_or(0)));
  return *state_->queues[id.value_or(0)];
}
inline std::shared_ptr<MeshDevice>
MeshDevice::create_submesh(const MeshShape &shape, const std::optional<MeshCoordinate> &offset) {
  const MeshCoordinate start = offset.value_or(MeshCoordinate::zero_coordinate(shape_.dims()));
  MeshCoordinate end = start;
  for (int32_t d = 0; d < int32_t(shape.dims()); ++d) end[d] += shape[d] - 1;
  std::vector<std::shared_ptr<IDevice>> devices;
  for (const MeshCoordinate &at : MeshCoordinateRange(start, end))
    devices.push_back(devices_.at(at.to_linear_index(shape_)));
  std::shared_ptr<MeshDevice> part(new MeshDevice(id(), shape, std::move(devices)));
  part->parent_ = shared_from_this();
  parts_.push_back(part);
  return part;
}
inline std::vector<std::shared_ptr<MeshDevice>>
MeshDevice::create_submeshes(const MeshShape &shape) {
  std::vector<std::shared_ptr<MeshDevice>> parts;
  for (uint32_t row = 0; row + shape[0] <= shape_[0]; row += shape[0])
    for (uint32_t col = 0; col + shape[1] <= shape_[1]; col += shape[1])
      parts.push_back(create_submesh(shape, MeshCoordinate(row, col)));
  return parts;
}
inline void MeshDevice::begin_mesh_trace(uint8_t queue, const MeshTraceId &id) {
  mesh_command_queue(queue).recording = &state_->traces[*id];
}
inline MeshTraceId MeshDevice::begin_mesh_trace(uint8_t queue) {
  const MeshTraceId id{static_cast<uint32_t>(state_->traces.size())};
  begin_mesh_trace(queue, id);
  return id;
}
inline void MeshDevice::end_mesh_trace(uint8_t queue, const MeshTraceId &) {
  mesh_command_queue(queue).recording = nullptr;
}
inline void MeshDevice::replay_mesh_trace(uint8_t queue, const MeshTraceId &id, bool) {
  auto found = state_->traces.find(*id);
  TT_FATAL(found != state_->traces.end(), "there is no trace {}", *id);
  for (const auto &programs : found->second) mesh_command_queue(queue).run(*programs);
}
inline void MeshDevice::release_mesh_trace(const MeshTraceId &id) { state_->traces.erase(*id); }
inline bool MeshDevice::close() {
  if (open_ && !parent_) tt::tt_metal::detail::close_devices(devices_.size());
  open_ = false;
  return true;
}

} // namespace tt::tt_metal::distributed
