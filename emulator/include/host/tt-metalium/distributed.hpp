// Buffers and workloads on a mesh of devices, which may be of one.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>
#include <unordered_set>

#include <tt-metalium/host_api.hpp>
#include <tt-metalium/mesh_buffer.hpp>
#include <tt-metalium/mesh_command_queue.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/mesh_workload.hpp>

namespace tt::tt_metal::distributed {

// The SDK takes as many bytes as the buffer has, wherever the vector ends.
template <typename T>
void EnqueueWriteMeshBuffer(MeshCommandQueue &queue, const std::shared_ptr<MeshBuffer> &buffer,
                            const std::vector<T> &data, bool blocking = false) {
  const uint64_t bytes = data.size() * sizeof(T);
  TT_FATAL(bytes <= buffer->size(), "{} bytes are written to a buffer that has {}", bytes,
           buffer->size());
  buffer->write(data.data(), bytes);
  buffer->get_backing_buffer()->template holds<T>();
  if (blocking) queue.finish();
}

// The vector takes the size of the buffer.
template <typename T>
void EnqueueReadMeshBuffer(MeshCommandQueue &queue, std::vector<T> &data,
                           const std::shared_ptr<MeshBuffer> &buffer, bool blocking = true) {
  data.resize(buffer->size() / sizeof(T));
  queue.enqueue_read_mesh_buffer(data.data(), buffer, blocking);
  buffer->get_backing_buffer()->template is_read_as<T>();
}

#if defined(TTEMU_API) && TTEMU_API < 202603
inline MeshWorkload CreateMeshWorkload() { return {}; }
inline void AddProgramToMeshWorkload(MeshWorkload &workload, Program &&program,
                                     const MeshCoordinateRange &range) {
  workload.add_program(range, std::move(program));
}
#endif
inline void EnqueueMeshWorkload(MeshCommandQueue &queue, MeshWorkload &workload, bool blocking) {
  queue.enqueue_mesh_workload(workload, blocking);
}

// The part of one device.
template <typename T>
void WriteShard(MeshCommandQueue &queue, const std::shared_ptr<MeshBuffer> &buffer,
                const std::vector<T> &data, const MeshCoordinate &at, bool blocking = false) {
  queue.device()->wait_for({});
  buffer->get_device_buffer(at)->write_all(data.data(), data.size() * sizeof(T));
  buffer->get_backing_buffer()->template holds<T>();
  if (blocking) queue.finish();
}
template <typename T>
void ReadShard(MeshCommandQueue &queue, std::vector<T> &data,
               const std::shared_ptr<MeshBuffer> &buffer, const MeshCoordinate &at,
               bool blocking = true) {
  data.resize(buffer->get_device_buffer(at)->size() / sizeof(T));
  queue.enqueue_read_shards(
      std::vector<ShardDataTransfer>{ShardDataTransfer(at).host_data(data.data())}, buffer,
      blocking);
}

inline MeshTraceId BeginTraceCapture(MeshDevice *mesh, uint8_t queue) {
  return mesh->begin_mesh_trace(queue);
}
inline void Finish(MeshCommandQueue &queue, std::span<const SubDeviceId> sub = {}) {
  queue.finish(sub);
}
inline void Synchronize(MeshDevice *mesh, std::optional<uint8_t>,
                        std::span<const SubDeviceId> sub = {}) {
  mesh->wait_for(sub);
  ttemu_reads_arrive();
}
inline void EventSynchronize(const MeshEvent &event) {
  event.device()->wait_for(event.after());
  ttemu_reads_arrive();
}
inline bool EventQuery(const MeshEvent &event) {
  const MeshCommandQueue &queue = event.device()->mesh_command_queue(uint8_t(event.mesh_cq_id()));
  if (!queue.has_issued(event) || event.device()->runs(event.after())) return false;
  ttemu_reads_arrive();
  return true;
}
inline bool UsingDistributedEnvironment() { return false; }

#if defined(TTEMU_API) && TTEMU_API < 202603
// What queues and meshes do themselves since.
using Ranges = std::optional<MeshCoordinateRange>;
inline MeshEvent EnqueueRecordEvent(MeshCommandQueue &queue, std::span<const SubDeviceId> sub = {},
                                    const Ranges &range = std::nullopt) {
  return queue.enqueue_record_event(sub, range);
}
inline MeshEvent EnqueueRecordEventToHost(MeshCommandQueue &queue,
                                          std::span<const SubDeviceId> sub = {},
                                          const Ranges &range = std::nullopt) {
  return queue.enqueue_record_event_to_host(sub, range);
}
inline void EnqueueRecordEvent(MeshCommandQueue &queue, const std::shared_ptr<MeshEvent> &event,
                               std::span<const SubDeviceId> sub = {},
                               const Ranges &range = std::nullopt) {
  *event = queue.enqueue_record_event(sub, range);
}
inline void EnqueueRecordEventToHost(MeshCommandQueue &queue,
                                     const std::shared_ptr<MeshEvent> &event,
                                     std::span<const SubDeviceId> sub = {},
                                     const Ranges &range = std::nullopt) {
  *event = queue.enqueue_record_event_to_host(sub, range);
}
inline void EnqueueWaitForEvent(MeshCommandQueue &queue, const MeshEvent &event) {
  queue.enqueue_wait_for_event(event);
}
inline void EnqueueWaitForEvent(MeshCommandQueue &queue, const std::shared_ptr<MeshEvent> &event) {
  queue.enqueue_wait_for_event(*event);
}
inline void EventSynchronize(const std::shared_ptr<MeshEvent> &event) { EventSynchronize(*event); }
inline void EndTraceCapture(MeshDevice *mesh, uint8_t queue, const MeshTraceId &id) {
  mesh->end_mesh_trace(queue, id);
}
inline void ReplayTrace(MeshDevice *mesh, uint8_t queue, const MeshTraceId &id, bool wait) {
  mesh->replay_mesh_trace(queue, id, wait);
}
inline void ReleaseTrace(MeshDevice *mesh, const MeshTraceId &id) { mesh->release_mesh_trace(id); }
#endif

} // namespace tt::tt_metal::distributed
