// Circular buffers whose producer is on another core than its consumers, and which outlive
// programs: a buffer on all of these cores, and on each a description that kernels read.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

namespace tt::tt_metal::experimental {

class GlobalCircularBuffer {
public:
  using Mapping = std::vector<std::pair<CoreCoord, CoreRangeSet>>;
  // `size` bytes on each core.
  GlobalCircularBuffer(IDevice *device, const Mapping &mapping, uint32_t size,
                       BufferType type = BufferType::L1)
      : device_(device), mapping_(mapping), size_(size) {
    TT_FATAL(device != nullptr, "a global circular buffer needs a device");
    TT_FATAL(type == BufferType::L1 || type == BufferType::L1_SMALL,
             "a global circular buffer is in L1");
    std::vector<CoreRange> senders, receivers;
    uint32_t num_receivers = 0, most = 0;
    for (const auto &[sender, to] : mapping) {
      senders.emplace_back(sender);
      for (const CoreRange &range : to.ranges()) receivers.push_back(range);
      num_receivers += to.num_cores(), most = std::max(most, uint32_t(to.num_cores()));
    }
    sender_cores_ = CoreRangeSet().merge(CoreRangeSet(senders));
    receiver_cores_ = CoreRangeSet().merge(CoreRangeSet(receivers));
    all_cores_ = sender_cores_.merge(receiver_cores_);
    TT_FATAL(all_cores_.num_cores() == mapping.size() + num_receivers,
             "a core is in a global circular buffer more than once");
    buffer_ = make(size, type);
    describe(most, type);
  }
  const Buffer &cb_buffer() const { return *buffer_.get_buffer(); }
  const CoreRangeSet &sender_cores() const { return sender_cores_; }
  const CoreRangeSet &receiver_cores() const { return receiver_cores_; }
  const CoreRangeSet &all_cores() const { return all_cores_; }
  DeviceAddr buffer_address() const { return cb_buffer().address(); }
  DeviceAddr config_address() const { return config_.get_buffer()->address(); }
  uint32_t size() const { return size_; }
  const Mapping &sender_receiver_core_mapping() const { return mapping_; }
  IDevice *get_device() const { return device_; }

private:
  distributed::AnyBuffer make(uint32_t bytes, BufferType type) const {
    const uint32_t n = all_cores_.num_cores();
    return distributed::AnyBuffer::create(ShardedBufferConfig{
        .device = device_,
        .size = DeviceAddr(bytes) * n,
        .page_size = bytes,
        .buffer_type = type,
        .buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED,
        .shard_parameters =
            ShardSpecBuffer(all_cores_, {1, 1}, ShardOrientation::ROW_MAJOR, {1, 1}, {n, 1})});
  }
  // A page a core: is sender, receivers, start, size, pointer, where nodes and counters are; nodes;
  // and two counters for each receiver, each in 16 bytes of its own.
  void describe(uint32_t most, BufferType type) {
    constexpr uint32_t words = 7, counter = 16;
    const uint32_t nodes_end = (4 * (words + 2 * most) + counter - 1) / counter * counter;
    const uint32_t page = nodes_end + 2 * most * counter;
    config_ = make(page, type);
    const std::vector<CoreCoord> cores = corerange_to_cores(all_cores_, std::nullopt, true);
    const uint32_t at = uint32_t(config_address()), fifo = uint32_t(buffer_address());
    std::vector<uint32_t> all(page / 4 * cores.size());
    const auto put = [&](const CoreCoord &core, std::vector<uint32_t> values) {
      const auto found = std::find(cores.begin(), cores.end(), core);
      std::copy(values.begin(), values.end(), all.begin() + (found - cores.begin()) * page / 4);
    };
    for (const auto &[sender, receivers] : mapping_) {
      const std::vector<CoreCoord> to = corerange_to_cores(receivers);
      const uint32_t n = uint32_t(to.size());
      const CoreCoord from = device_->worker_core_from_logical_core(sender);
      std::vector<uint32_t> sends = {1, n, fifo, size_, fifo, at + 4 * words, at + nodes_end};
      for (uint32_t i = 0; i < n; ++i) {
        const CoreCoord node = device_->worker_core_from_logical_core(to[i]);
        sends.push_back(uint32_t(node.x)), sends.push_back(uint32_t(node.y));
        put(to[i], {0, n, fifo, size_, fifo, at + 4 * words, at + nodes_end + 2 * counter * i,
                    uint32_t(from.x), uint32_t(from.y)});
      }
      put(sender, sends);
    }
    if (auto mesh = config_.get_mesh_buffer()) mesh->write(all.data(), all.size() * 4);
    else config_.get_buffer()->write(0, all.data(), all.size() * 4);
  }

  distributed::AnyBuffer buffer_, config_;
  IDevice *device_;
  Mapping mapping_;
  CoreRangeSet sender_cores_, receiver_cores_, all_cores_;
  uint32_t size_;
};

inline GlobalCircularBuffer CreateGlobalCircularBuffer(IDevice *device,
                                                       const GlobalCircularBuffer::Mapping &mapping,
                                                       uint32_t size,
                                                       BufferType type = BufferType::L1) {
  return GlobalCircularBuffer(device, mapping, size, type);
}

// A program's part in it: by the config's remote index, and by others that lie on the same memory.
inline CBHandle CreateCircularBuffer(Program &program, const tt::tt_metal::detail::AnyCores &cores,
                                     const CircularBufferConfig &config,
                                     const GlobalCircularBuffer &global) {
  const CoreRangeSet set = tt::tt_metal::detail::cores_of(cores);
  TT_FATAL(global.all_cores().contains(set), "cores {} are not all in the global circular buffer",
           set.str());
  TT_FATAL(!config.remotes().empty(), "the circular buffer has no remote index");
  TT_FATAL(config.total_size() <= global.size(), "{} bytes in a global circular buffer of {}",
           config.total_size(), global.size());
  CircularBufferConfig local = config;
  local.set_globally_allocated_address(global.cb_buffer());
  const std::vector<ttemu_rect> rects = tt::tt_metal::detail::rectangles(cores);
  Program::Remote remote{set, std::nullopt, std::nullopt};
  if (!config.formats().empty())
    remote.local = tt::tt_metal::CreateCircularBuffer(program, cores, local);
  for (const auto &[index, format] : config.remotes())
    remote.remote =
        ttemu_program_remote_cb(program.handle(), rects.data(), rects.size(), index,
                                config.page_size(index), uint32_t(global.config_address()));
  const CBHandle handle = remote.local.value_or(*remote.remote);
  program.remotes[handle] = remote;
  return handle;
}
inline void UpdateDynamicCircularBufferAddress(Program &program, CBHandle cb,
                                               const GlobalCircularBuffer &global) {
  const auto found = program.remotes.find(cb);
  TT_FATAL(found != program.remotes.end(), "the circular buffer is not a remote one");
  const Program::Remote &r = found->second;
  TT_FATAL(global.all_cores().contains(r.cores),
           "cores {} are not all in the global circular buffer", r.cores.str());
  if (r.local) ttemu_change_cb(program.handle(), *r.local, 0, 0, 0, global.cb_buffer().handle());
  ttemu_change_remote_cb(program.handle(), *r.remote, uint32_t(global.config_address()));
}

} // namespace tt::tt_metal::experimental
