// The queues of a single device. What is put on one is done at once, in order.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <tt-metalium/host_api.hpp>

namespace tt::tt_metal {

class CommandQueue {
public:
  CommandQueue(IDevice *device, uint32_t id) : device_(device), id_(id) {}
  IDevice *device() const { return device_; }
  uint32_t id() const { return id_; }

#if defined(TTEMU_API) && TTEMU_API < 202603
  // Of 2024: when the host's part is done, which has no meaning here.
  enum class CommandQueueMode { PASSTHROUGH = 0, ASYNC = 1, TRACE = 2 };
  static CommandQueueMode default_mode() { return CommandQueueMode::PASSTHROUGH; }
  void set_mode(const CommandQueueMode &mode) { mode_ = mode; }
  CommandQueueMode get_mode() const { return mode_; }
#endif

  // Between begin and end of a trace programs are kept instead of run.
  uint32_t begin_trace() {
    recording_ = &traces_.emplace_back();
    return static_cast<uint32_t>(traces_.size() - 1);
  }
  void end_trace() { recording_ = nullptr; }
  void replay(uint32_t trace) {
    TT_FATAL(trace < traces_.size(), "there is no trace {}", trace);
    for (ttemu_program *program : traces_[trace]) run(program);
  }
  void put(ttemu_program *program) {
    if (recording_) recording_->push_back(program);
    else run(program);
  }

private:
  void run(ttemu_program *program) const {
    ttemu_choose(device_->number());
    ttemu_launch(program, device_->has_sub_devices());
  }
#if defined(TTEMU_API) && TTEMU_API < 202603
  CommandQueueMode mode_ = default_mode();
#endif
  IDevice *device_;
  uint32_t id_;
  std::deque<std::vector<ttemu_program *>> traces_;
  std::vector<ttemu_program *> *recording_ = nullptr;
};

inline CommandQueue &IDevice::command_queue(std::size_t id) {
  TT_FATAL(id < 2, "command queue {}: there are 2", id);
  if (!queues_[id]) queues_[id] = std::make_shared<CommandQueue>(this, static_cast<uint32_t>(id));
  return *queues_[id];
}

struct Event {
  uint32_t cq_id = 0, event_id = 0;
};

namespace detail {
inline Buffer &buffer_of(Buffer &buffer) { return buffer; }
inline Buffer &buffer_of(const std::shared_ptr<Buffer> &buffer) { return *buffer; }
inline Program &program_of(Program &program) { return program; }
inline Program &program_of(const std::shared_ptr<Program> &program) { return *program; }
} // namespace detail

template <typename AnyProgram>
void EnqueueProgram(CommandQueue &queue, AnyProgram &&program, bool blocking = false) {
  ttemu_program *handle = detail::program_of(program).handle();
  queue.put(handle);
  if (blocking && ttemu_program_runs(handle)) ttemu_wait();
  if (blocking) ttemu_reads_arrive();
}

template <typename AnyBuffer, typename T>
void EnqueueWriteBuffer(CommandQueue &queue, AnyBuffer &&buffer, const std::vector<T> &data,
                        bool blocking = false) {
  queue.device()->wait_for({});
  Buffer &to = detail::buffer_of(buffer);
  to.write_all(data.data(), data.size() * sizeof(T));
  to.holds<T>();
  if (blocking) ttemu_reads_arrive();
}
template <typename AnyBuffer>
void EnqueueWriteBuffer(CommandQueue &queue, AnyBuffer &&buffer, const void *data,
                        bool blocking = false) {
  queue.device()->wait_for({});
  Buffer &to = detail::buffer_of(buffer);
  to.write(0, data, to.size());
  if (blocking) ttemu_reads_arrive();
}

// The vector takes the size of the buffer.
template <typename AnyBuffer, typename T>
void EnqueueReadBuffer(CommandQueue &queue, AnyBuffer &&buffer, std::vector<T> &data,
                       bool blocking = true) {
  queue.device()->wait_for({});
  Buffer &from = detail::buffer_of(buffer);
  data.resize(from.size() / sizeof(T));
  from.read(0, data.data(), data.size() * sizeof(T), blocking);
  from.is_read_as<T>();
}
template <typename AnyBuffer>
void EnqueueReadBuffer(CommandQueue &queue, AnyBuffer &&buffer, void *data, bool blocking = true) {
  queue.device()->wait_for({});
  Buffer &from = detail::buffer_of(buffer);
  from.read(0, data, from.size(), blocking);
}

// A part of a buffer.
template <typename AnyBuffer>
void EnqueueWriteSubBuffer(CommandQueue &queue, AnyBuffer &&buffer, const void *data,
                           const BufferRegion &region, bool blocking) {
  queue.device()->wait_for({});
  detail::buffer_of(buffer).write(region.offset, data, region.size);
  if (blocking) ttemu_reads_arrive();
}
template <typename AnyBuffer, typename T>
void EnqueueWriteSubBuffer(CommandQueue &queue, AnyBuffer &&buffer, const std::vector<T> &data,
                           const BufferRegion &region, bool blocking) {
  TT_FATAL(data.size() * sizeof(T) >= region.size, "{} bytes for a part of {}",
           data.size() * sizeof(T), region.size);
  EnqueueWriteSubBuffer(queue, buffer, static_cast<const void *>(data.data()), region, blocking);
}
template <typename AnyBuffer>
void EnqueueReadSubBuffer(CommandQueue &queue, AnyBuffer &&buffer, void *data,
                          const BufferRegion &region, bool blocking) {
  queue.device()->wait_for({});
  detail::buffer_of(buffer).read(region.offset, data, region.size, blocking);
}
template <typename AnyBuffer, typename T>
void EnqueueReadSubBuffer(CommandQueue &queue, AnyBuffer &&buffer, std::vector<T> &data,
                          const BufferRegion &region, bool blocking) {
  data.resize(region.size / sizeof(T));
  EnqueueReadSubBuffer(queue, buffer, static_cast<void *>(data.data()), region, blocking);
}

inline void Finish(CommandQueue &queue, std::span<const SubDeviceId> sub = {}) {
  queue.device()->wait_for(sub);
  ttemu_reads_arrive();
}
inline void Synchronize(IDevice *device, std::optional<uint8_t> = std::nullopt,
                        std::span<const SubDeviceId> sub = {}) {
  device->wait_for(sub);
  ttemu_reads_arrive();
}
inline void EnqueueRecordEvent(CommandQueue &queue, const std::shared_ptr<Event> &event,
                               std::span<const SubDeviceId> = {}) {
  event->cq_id = queue.id();
}
inline void EnqueueWaitForEvent(CommandQueue &, const std::shared_ptr<Event> &) {}
inline void EventSynchronize(const std::shared_ptr<Event> &) { ttemu_reads_arrive(); }
inline bool EventQuery(const std::shared_ptr<Event> &) { return ttemu_reads_arrive(), true; }

} // namespace tt::tt_metal

// In trees of early 2025 this header opens the namespace and brings Tracy along, and programs count
// on both.
#if defined(TTEMU_API) && TTEMU_API < 202603
#include "ttemu/tracy.hpp"
using namespace tt::tt_metal;
#include <tt-metalium/older.hpp>
#endif
