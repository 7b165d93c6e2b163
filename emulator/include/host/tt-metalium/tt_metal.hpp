// Devices without queues: programs run, and memory is read and written, when they are asked to be.
#pragma once

#include <map>
#include <span>

#include <tt-metalium/command_queue.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/kernel_builds.hpp>
#include <tt-metalium/logger.hpp>
#include <tt-metalium/tt_metal_profiler.hpp>

namespace tt::tt_metal::detail {

inline std::map<ChipId, IDevice *> CreateDevices(const std::vector<ChipId> &ids, uint8_t queues = 1,
                                                 std::size_t l1_small = DEFAULT_L1_SMALL_SIZE,
                                                 std::size_t trace = DEFAULT_TRACE_REGION_SIZE,
                                                 const DispatchCoreConfig & = {},
                                                 const std::vector<uint32_t> & = {},
                                                 std::size_t = DEFAULT_WORKER_L1_SIZE, bool = true,
                                                 bool = false, bool = true) {
  std::map<ChipId, IDevice *> devices;
  for (ChipId id : ids) devices[id] = CreateDevice(id, queues, l1_small, trace);
  return devices;
}
inline void CloseDevices(const std::map<ChipId, IDevice *> &devices) {
  for (const auto &[id, device] : devices) CloseDevice(device);
}
// Closed devices are nobody's here.
inline void ReleaseOwnership() {}
inline bool DispatchStateCheck(bool is_fast) { return is_fast; }

/*===- Programs -------------------------------------------------------------------------===*/

template <typename AnyProgram>
void LaunchProgram(IDevice *device, AnyProgram &&program, bool wait_until_cores_done = true,
                   bool force_slow_dispatch = false) {
  (void)force_slow_dispatch;
  ttemu_choose(device->number());
  if (wait_until_cores_done) ttemu_run(program_of(program).handle());
  else ttemu_launch(program_of(program).handle(), true);
}
inline void WaitProgramDone(IDevice *, Program &, bool = true) { ttemu_wait(); }
inline void WriteRuntimeArgsToDevice(IDevice *, Program &, bool = false) {}
inline bool ConfigureDeviceWithProgram(IDevice *, Program &, bool = false) { return true; }

/*===- Buffers --------------------------------------------------------------------------===*/

inline void WriteToBuffer(Buffer &buffer, std::span<const uint8_t> data) {
  TT_FATAL(data.size() <= buffer.size(), "{} bytes are written to a buffer that has {}",
           data.size(), buffer.size());
  buffer.write(0, data.data(), data.size());
}
template <typename T> void WriteToBuffer(Buffer &buffer, const std::vector<T> &data) {
  WriteToBuffer(buffer, std::span<const uint8_t>(reinterpret_cast<const uint8_t *>(data.data()),
                                                 data.size() * sizeof(T)));
}
template <typename T>
void WriteToBuffer(const std::shared_ptr<Buffer> &buffer, const std::vector<T> &data) {
  WriteToBuffer(*buffer, data);
}
inline void ReadFromBuffer(Buffer &buffer, uint8_t *data) { buffer.read(0, data, buffer.size()); }
template <typename T> void ReadFromBuffer(Buffer &buffer, std::vector<T> &data) {
  TT_FATAL(buffer.size() % sizeof(T) == 0, "{} bytes are no whole number of elements",
           buffer.size());
  data.resize(buffer.size() / sizeof(T));
  ReadFromBuffer(buffer, reinterpret_cast<uint8_t *>(data.data()));
}
template <typename T>
void ReadFromBuffer(const std::shared_ptr<Buffer> &buffer, std::vector<T> &data) {
  ReadFromBuffer(*buffer, data);
}

/*===- Memory, by bank or core ----------------------------------------------------------===*/

// Calls f(bytes, n) on the device's memory.
inline bool dram(const IDevice *device, int channel, uint32_t at, void *data, std::size_t n,
                 bool write) {
  ttemu_choose(device->number());
  ttemu_memory(true, static_cast<uint32_t>(channel), at, data, n, write);
  return true;
}
inline bool l1(const IDevice *device, const CoreCoord &core, uint32_t at, void *data, std::size_t n,
               bool write) {
  ttemu_choose(device->number());
  ttemu_memory(false, TTEMU_L1_BANK(core.x, core.y), at, data, n, write);
  return true;
}

inline bool WriteToDeviceDRAMChannel(IDevice *device, int channel, uint32_t address,
                                     std::span<const uint8_t> data) {
  return dram(device, channel, address, const_cast<uint8_t *>(data.data()), data.size(), true);
}
inline bool WriteToDeviceDRAMChannel(IDevice *device, int channel, uint32_t address,
                                     std::vector<uint32_t> &data) {
  return dram(device, channel, address, data.data(), data.size() * 4, true);
}
inline bool ReadFromDeviceDRAMChannel(IDevice *device, int channel, uint32_t address,
                                      std::span<uint8_t> data) {
  return dram(device, channel, address, data.data(), data.size(), false);
}
inline bool ReadFromDeviceDRAMChannel(IDevice *device, int channel, uint32_t address,
                                      uint32_t bytes, std::vector<uint32_t> &data) {
  data.resize(bytes / 4);
  return dram(device, channel, address, data.data(), data.size() * 4, false);
}
inline bool WriteToDeviceL1(IDevice *device, const CoreCoord &core, uint32_t address,
                            std::span<const uint8_t> data, CoreType = CoreType::WORKER) {
  return l1(device, core, address, const_cast<uint8_t *>(data.data()), data.size(), true);
}
inline bool WriteToDeviceL1(IDevice *device, const CoreCoord &core, uint32_t address,
                            std::vector<uint32_t> &data, CoreType = CoreType::WORKER) {
  return l1(device, core, address, data.data(), data.size() * 4, true);
}
inline bool ReadFromDeviceL1(IDevice *device, const CoreCoord &core, uint32_t address,
                             std::span<uint8_t> data, CoreType = CoreType::WORKER) {
  return l1(device, core, address, data.data(), data.size(), false);
}
inline bool ReadFromDeviceL1(IDevice *device, const CoreCoord &core, uint32_t address,
                             uint32_t bytes, std::vector<uint32_t> &data,
                             CoreType = CoreType::WORKER) {
  data.resize(bytes / 4);
  return l1(device, core, address, data.data(), data.size() * 4, false);
}

inline std::string get_platform_architecture_name() { return ttemu_arch(); }

} // namespace tt::tt_metal::detail
