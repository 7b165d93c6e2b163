// The host API, on the emulated device: programs, their circular buffers, kernels and arguments.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/circular_buffer.hpp>
#include <tt-metalium/circular_buffer_config.hpp>
#include <tt-metalium/constants.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/device.hpp>
#include <tt-metalium/dispatch_core_common.hpp>
#include <tt-metalium/kernel_types.hpp>
#include <tt-metalium/math.hpp>
#include <tt-metalium/program.hpp>
#include <tt-metalium/program_parts.hpp>
#include <tt-metalium/runtime_args_data.hpp>
#include <tt-metalium/sub_device_types.hpp>
#include <tt-metalium/tt_metal_profiler.hpp>

#include "ttemu/host_calls.h"

// Kernel paths of the vendor's examples begin with this; it is empty unless set.
#ifndef OVERRIDE_KERNEL_PREFIX
#define OVERRIDE_KERNEL_PREFIX ""
#endif

namespace tt::tt_metal {

inline Program CreateProgram() { return Program(); }

namespace detail {
inline std::vector<ttemu_rect> rectangles(const AnyCores &cores) {
  std::vector<ttemu_rect> rects;
  const CoreRangeSet set = cores_of(cores);
  for (const CoreRange &r : set.ranges())
    rects.push_back({uint32_t(r.start_coord.x), uint32_t(r.start_coord.y), uint32_t(r.end_coord.x),
                     uint32_t(r.end_coord.y)});
  return rects;
}
inline uint32_t TileSize(tt::DataFormat format) { return tt::tile_size(format); }
inline NOC GetPreferredNOCForDRAMRead(tt::ARCH) { return NOC::NOC_0; }
inline NOC GetPreferredNOCForDRAMWrite(tt::ARCH) { return NOC::NOC_1; }
} // namespace detail

/*===- Circular buffers -----------------------------------------------------------------===*/

inline CBHandle CreateCircularBuffer(Program &program, const detail::AnyCores &cores,
                                     const CircularBufferConfig &config) {
  const std::vector<ttemu_rect> rects = detail::rectangles(cores);
  std::vector<ttemu_cb> cbs;
  for (const auto &[index, format] : config.formats()) {
    const Tile tile = config.tiles().at(index).value_or(Tile());
    cbs.push_back({index, config.page_size(index), static_cast<ttemu_format>(format),
                   uint8_t(tile.get_height()), uint8_t(tile.get_width())});
  }
  TT_FATAL(!cbs.empty(), "a circular buffer needs a data format");
  const CBHandle handle =
      ttemu_program_cb(program.handle(), rects.data(), rects.size(), cbs.data(), cbs.size(),
                       config.total_size(), config.buffer() ? config.buffer()->handle() : nullptr);
  program.impl().cbs.push_back(
      std::make_shared<CircularBuffer>(handle, detail::cores_of(cores), config));
  return handle;
}
inline const CircularBufferConfig &GetCircularBufferConfig(Program &program, CBHandle cb) {
  return program.impl().get_circular_buffer(cb)->config();
}
inline void UpdateDynamicCircularBufferAddress(Program &program, CBHandle cb,
                                               const Buffer &buffer) {
  program.impl().get_circular_buffer(cb)->config().set_globally_allocated_address(buffer);
  ttemu_change_cb(program.handle(), cb, 0, 0, 0, buffer.handle());
}
inline void UpdateDynamicCircularBufferAddressAndTotalSize(Program &program, CBHandle cb,
                                                           const Buffer &buffer, uint32_t bytes) {
  program.impl().get_circular_buffer(cb)->config().set_globally_allocated_address_and_total_size(
      buffer, bytes);
  ttemu_change_cb(program.handle(), cb, 0, bytes, 0, buffer.handle());
}
inline void UpdateCircularBufferTotalSize(Program &program, CBHandle cb, uint32_t bytes) {
  program.impl().get_circular_buffer(cb)->config().set_total_size(bytes);
  ttemu_change_cb(program.handle(), cb, 0, bytes, 0, nullptr);
}
inline void UpdateCircularBufferPageSize(Program &program, CBHandle cb, uint8_t index,
                                         uint32_t bytes) {
  program.impl().get_circular_buffer(cb)->config().set_page_size(index, bytes);
  ttemu_change_cb(program.handle(), cb, index, 0, bytes, nullptr);
}

/*===- Kernels --------------------------------------------------------------------------===*/

namespace detail {
template <typename Config>
KernelHandle create_kernel(Program &program, const std::string &path, const detail::AnyCores &cores,
                           ttemu_kernel_config c, const Config &config, bool is_source) {
  std::vector<const char *> pairs, names;
  std::vector<uint32_t> values;
  for (const auto &[name, value] : config.defines)
    pairs.push_back(name.c_str()), pairs.push_back(value.c_str());
  for (const auto &[name, value] : config.named_compile_args)
    names.push_back(name.c_str()), values.push_back(value);
  c.path = path.c_str(), c.is_source = is_source;
  c.compile_args = config.compile_args.data(), c.num_compile_args = config.compile_args.size();
  c.defines = pairs.data(), c.num_defines = config.defines.size();
  c.named_args = names.data(), c.named_values = values.data(), c.num_named_args = names.size();
  const uint32_t kernel = ttemu_program_kernel(program.handle(), &c);
  for (const ttemu_rect &rect : rectangles(cores))
    ttemu_kernel_cores(program.handle(), kernel, rect);
  const KernelSource source{path, is_source ? KernelSource::SOURCE_CODE : KernelSource::FILE_PATH};
  program.impl().kernels.push_back(
      std::make_shared<Kernel>(program.handle(), kernel, source, detail::cores_of(cores), config));
  return kernel;
}
inline KernelHandle create_kernel_of(Program &program, const std::string &path,
                                     const detail::AnyCores &cores,
                                     const DataMovementConfig &config, bool is_source) {
  ttemu_kernel_config c = {};
  c.processor = static_cast<int>(config.processor), c.noc = config.noc, c.phases = 1;
  c.any_noc = config.noc_mode == NOC_MODE::DM_DYNAMIC_NOC;
  if (!c.any_noc) return create_kernel(program, path, cores, c, config, is_source);
  DataMovementConfig told = config;
  told.defines.emplace("NOC_MODE", "DM_DYNAMIC_NOC");
  return create_kernel(program, path, cores, c, told, is_source);
}
inline KernelHandle create_kernel_of(Program &program, const std::string &path,
                                     const detail::AnyCores &cores, const ComputeConfig &config,
                                     bool is_source) {
  uint8_t unpack[NUM_CIRCULAR_BUFFERS] = {};
  for (std::size_t i = 0; i < config.unpack_to_dest_mode.size() && i < NUM_CIRCULAR_BUFFERS; ++i)
    unpack[i] = config.unpack_to_dest_mode[i] == UnpackToDestMode::UnpackToDestFp32;
  ttemu_kernel_config c = {};
  c.processor = 2;
  c.phases =
      config.math_fidelity == MathFidelity::LoFi ? 1 : static_cast<int>(config.math_fidelity);
  c.fp32_dest = config.fp32_dest_acc_en, c.full_sync = config.dst_full_sync_en;
  c.approx = config.math_approx_mode, c.unpack_to_dest = unpack;
  return create_kernel(program, path, cores, c, config, is_source);
}
inline KernelHandle create_kernel_of(Program &, const std::string &path, const detail::AnyCores &,
                                     const EthernetConfig &, bool) {
  TT_FATAL(false, "{}: ethernet cores are not emulated", path);
  return 0;
}
} // namespace detail

using KernelConfig = std::variant<DataMovementConfig, ComputeConfig, EthernetConfig>;
inline KernelHandle CreateKernel(Program &program, const std::string &path,
                                 const detail::AnyCores &cores, const KernelConfig &config) {
  return std::visit(
      [&](const auto &c) { return detail::create_kernel_of(program, path, cores, c, false); },
      config);
}
// The kernel's text instead of a path.
inline KernelHandle CreateKernelFromString(Program &program, const std::string &text,
                                           const detail::AnyCores &cores,
                                           const KernelConfig &config) {
  return std::visit(
      [&](const auto &c) { return detail::create_kernel_of(program, text, cores, c, true); },
      config);
}

/*===- Arguments and semaphores ---------------------------------------------------------===*/

inline void SetRuntimeArgs(const Program &program, KernelHandle kernel,
                           const detail::AnyCores &cores, std::span<const uint32_t> args) {
  for (const ttemu_rect &r : detail::rectangles(cores))
    for (uint32_t y = r.y0; y <= r.y1; ++y)
      for (uint32_t x = r.x0; x <= r.x1; ++x)
        ttemu_kernel_args(program.handle(), kernel, x, y, args.data(), args.size());
}
inline void SetRuntimeArgs(const Program &program, KernelHandle kernel,
                           const detail::AnyCores &cores, std::initializer_list<uint32_t> args) {
  SetRuntimeArgs(program, kernel, cores, std::span<const uint32_t>(args.begin(), args.size()));
}
inline void SetRuntimeArgs(const Program &program, KernelHandle kernel,
                           const std::vector<CoreCoord> &cores,
                           const std::vector<std::vector<uint32_t>> &args) {
  TT_FATAL(cores.size() == args.size(), "a list of runtime arguments for each core");
  for (std::size_t i = 0; i < cores.size(); ++i)
    SetRuntimeArgs(program, kernel, cores[i], std::span<const uint32_t>(args[i]));
}

inline RuntimeArgsData GetRuntimeArgs(const Program &program, KernelHandle kernel,
                                      const CoreCoord &core) {
  std::size_t n = 0;
  uint32_t *data =
      ttemu_kernel_args_of(program.handle(), kernel, uint32_t(core.x), uint32_t(core.y), &n);
  return RuntimeArgsData(data, n);
}
// The same of each core, by x and y; empty where none were set.
inline std::vector<std::vector<RuntimeArgsData>> &GetRuntimeArgs(const Program &program,
                                                                 KernelHandle kernel) {
  static std::vector<std::vector<RuntimeArgsData>> all;
  all.assign(ttemu_grid_x(), {});
  for (uint32_t x = 0; x < ttemu_grid_x(); ++x)
    for (uint32_t y = 0; y < ttemu_grid_y(); ++y)
      all[x].push_back(GetRuntimeArgs(program, kernel, CoreCoord(x, y)));
  return all;
}
inline void SetCommonRuntimeArgs(const Program &program, KernelHandle kernel,
                                 std::span<const uint32_t> args) {
  ttemu_kernel_common_args(program.handle(), kernel, args.data(), args.size());
}
inline void SetCommonRuntimeArgs(const Program &program, KernelHandle kernel,
                                 std::initializer_list<uint32_t> args) {
  SetCommonRuntimeArgs(program, kernel, std::span<const uint32_t>(args.begin(), args.size()));
}
inline RuntimeArgsData GetCommonRuntimeArgs(const Program &program, KernelHandle kernel) {
  std::size_t n = 0;
  uint32_t *data = ttemu_kernel_common_args_of(program.handle(), kernel, &n);
  return RuntimeArgsData(data, n);
}

using SemaphoreCores = std::variant<CoreRange, CoreRangeSet>;
inline uint32_t CreateSemaphore(Program &program, const SemaphoreCores &cores,
                                uint32_t initial_value) {
  const auto *range = std::get_if<CoreRange>(&cores);
  const std::vector<ttemu_rect> rects = detail::rectangles(
      range ? detail::AnyCores(*range) : detail::AnyCores(std::get<CoreRangeSet>(cores)));
  const uint32_t id =
      ttemu_program_semaphore(program.handle(), rects.data(), rects.size(), initial_value);
  program.impl().semaphore_list->emplace_back(
      range ? CoreRangeSet(*range) : std::get<CoreRangeSet>(cores), id, initial_value);
#if defined(TTEMU_API) && TTEMU_API < 202603
  // Trees of 2024 return its address, which kernels use as it is; get_semaphore takes both.
  return ttemu_semaphore_address(id);
#else
  return id;
#endif
}
inline uint32_t CreateSemaphore(Program &program, const SemaphoreCores &cores,
                                uint32_t initial_value, CoreType) {
  return CreateSemaphore(program, cores, initial_value);
}

/*===- Devices and buffers --------------------------------------------------------------===*/

// The devices that a program has created and not closed yet, by their numbers.
inline std::map<ChipId, IDevice *> &ttemu_active_devices() {
  static std::map<ChipId, IDevice *> devices;
  return devices;
}
// Number `id` of the devices of this machine, which are all emulated.
inline IDevice *CreateDevice(ChipId id, uint8_t = 1, std::size_t l1_small = DEFAULT_L1_SMALL_SIZE,
                             std::size_t trace = DEFAULT_TRACE_REGION_SIZE,
                             const DispatchCoreConfig & = {}, const std::vector<uint32_t> & = {},
                             std::size_t = DEFAULT_WORKER_L1_SIZE) {
  auto *device = new IDevice(id, detail::open_devices(1).front());
  device->allocator()->configure(l1_small, trace);
  return ttemu_active_devices()[id] = device;
}
inline IDevice *CreateDeviceMinimal(ChipId id, uint8_t = 1, const DispatchCoreConfig & = {}) {
  return CreateDevice(id);
}
inline bool CloseDevice(IDevice *device) {
  const bool closed = device->close();
  std::erase_if(ttemu_active_devices(), [&](const auto &one) { return one.second == device; });
  delete device;
  return closed;
}
inline std::size_t GetNumAvailableDevices() { return TTEMU_DEVICES; }
inline ChipId GetPCIeDeviceID(ChipId id) { return id; }
inline bool IsGalaxyCluster() { return false; }
inline void SetRootDir(const std::string &folder) { setenv("TT_METAL_HOME", folder.c_str(), 1); }
inline std::size_t GetNumPCIeDevices() { return TTEMU_DEVICES; }

inline std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &c) {
  return detail::local_buffer(c.device, c.size, c.page_size, c.buffer_type, {});
}
inline std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &c, DeviceAddr address) {
  return detail::local_buffer(c.device, c.size, c.page_size, c.buffer_type, {}, address);
}
inline std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &c, SubDeviceId) {
  return CreateBuffer(c);
}
inline std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig &c) {
  return detail::local_buffer(c.device, c.size, c.page_size, c.buffer_type,
                              BufferShardingArgs(c.shard_parameters, c.buffer_layout));
}
inline std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig &c, DeviceAddr address) {
  return detail::local_buffer(c.device, c.size, c.page_size, c.buffer_type,
                              BufferShardingArgs(c.shard_parameters, c.buffer_layout), address);
}
inline std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig &c, SubDeviceId) {
  return CreateBuffer(c);
}
// A program that uses a buffer keeps it.
inline void AssignGlobalBufferToProgram(const std::shared_ptr<Buffer> &buffer, Program &program) {
  program.keep(buffer);
}

} // namespace tt::tt_metal

// Queues were part of it, and programs took streams from it. For some months its functions were in
// a namespace of the API's version, too.
#if defined(TTEMU_API) && TTEMU_API < 202603
namespace tt::tt_metal::v0 {
using namespace tt::tt_metal;
}
namespace tt::tt_metal::v1 {
using namespace tt::tt_metal;
using DeviceHandle = IDevice *;
} // namespace tt::tt_metal::v1
#include <cassert>
#include <fstream>
#include <iostream>

#include <tt-metalium/command_queue.hpp>
#endif
