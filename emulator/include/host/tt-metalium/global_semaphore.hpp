// A semaphore that outlives programs: a word in the L1 of each of its cores, at one address.
#pragma once

#include <memory>
#include <vector>

#include <tt-metalium/buffer.hpp>
#include <tt-metalium/device.hpp>
#include <tt-metalium/mesh_device.hpp>

namespace tt::tt_metal {

class GlobalSemaphore {
public:
  GlobalSemaphore(IDevice *device, const CoreRangeSet &cores, uint32_t value,
                  BufferType type = BufferType::L1)
      : device_(device), cores_(cores) {
    TT_FATAL(cores.num_cores() > 0, "a global semaphore is on no cores");
    TT_FATAL(type == BufferType::L1 || type == BufferType::L1_SMALL, "a global semaphore is in L1");
    const uint32_t n = cores.num_cores();
    const ShardSpecBuffer shards(cores, {1, 1}, ShardOrientation::ROW_MAJOR, {1, 1}, {n, 1});
    buffer_ = std::make_shared<Buffer>(
        uint64_t{n} * word_bytes, word_bytes, type,
        BufferShardingArgs(shards, TensorMemoryLayout::HEIGHT_SHARDED), device);
    reset_semaphore_value(value);
  }
  IDevice *device() const { return device_; }
  DeviceAddr address() const { return buffer_->address(); }
  const CoreRangeSet &cores() const { return cores_; }
  // On all of its cores, and all devices of its mesh.
  void reset_semaphore_value(uint32_t value) const {
    const std::vector<uint32_t> words(buffer_->size() / sizeof value, value);
    const auto *mesh = dynamic_cast<const distributed::MeshDevice *>(device_);
    if (!mesh) {
      buffer_->on(device_, device_->number())->write(0, words.data(), buffer_->size());
      return;
    }
    for (IDevice *device : mesh->get_devices())
      buffer_->on(device, device->number())->write(0, words.data(), buffer_->size());
  }

private:
  static constexpr uint32_t word_bytes = 4;
  IDevice *device_;
  CoreRangeSet cores_;
  std::shared_ptr<Buffer> buffer_;
};

inline GlobalSemaphore CreateGlobalSemaphore(IDevice *device, const CoreRangeSet &cores,
                                             uint32_t initial_value,
                                             BufferType type = BufferType::L1) {
  return GlobalSemaphore(device, cores, initial_value, type);
}

} // namespace tt::tt_metal
