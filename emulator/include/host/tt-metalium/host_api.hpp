// The host API, on the emulated device: programs, their circular buffers, kernels and arguments.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/core_coord.hpp>

#include "ttemu/device.h"

// Kernel paths of the vendor's examples begin with this; it is empty unless set.
#ifndef OVERRIDE_KERNEL_PREFIX
#define OVERRIDE_KERNEL_PREFIX ""
#endif

namespace tt {

enum class DataFormat : uint8_t {
  Float32 = 0,
  Float16 = 1,
  Bfp8 = 2,
  Bfp4 = 3,
  Float16_b = 5,
  Bfp8_b = 6,
  Bfp4_b = 7,
  Int32 = 8,
  UInt16 = 9,
  Int8 = 14,
  UInt32 = 24,
  UInt8 = 30,
  Invalid = 255,
};

enum CBIndex : uint8_t {
  c_0,
  c_1,
  c_2,
  c_3,
  c_4,
  c_5,
  c_6,
  c_7,
  c_8,
  c_9,
  c_10,
  c_11,
  c_12,
  c_13,
  c_14,
  c_15,
  c_16,
  c_17,
  c_18,
  c_19,
  c_20,
  c_21,
  c_22,
  c_23,
  c_24,
  c_25,
  c_26,
  c_27,
  c_28,
  c_29,
  c_30,
  c_31,
  c_32,
  c_33,
  c_34,
  c_35,
  c_36,
  c_37,
  c_38,
  c_39,
  c_40,
  c_41,
  c_42,
  c_43,
  c_44,
  c_45,
  c_46,
  c_47,
  c_48,
  c_49,
  c_50,
  c_51,
  c_52,
  c_53,
  c_54,
  c_55,
  c_56,
  c_57,
  c_58,
  c_59,
  c_60,
  c_61,
  c_62,
  c_63,
};

enum class ARCH { Invalid = 0, WORMHOLE_B0 = 2, BLACKHOLE = 3 };

// Bytes of an element, and of a tile.
inline uint32_t datum_size(DataFormat format) {
  switch (format) {
  case DataFormat::Float32:
  case DataFormat::Int32:
  case DataFormat::UInt32: return 4;
  case DataFormat::Float16:
  case DataFormat::Float16_b:
  case DataFormat::UInt16: return 2;
  default: return 1;
  }
}
inline uint32_t tile_size(DataFormat format) {
  switch (format) {
  case DataFormat::Bfp8:
  case DataFormat::Bfp8_b: return 1088;
  case DataFormat::Bfp4:
  case DataFormat::Bfp4_b: return 576;
  default: return 1024 * datum_size(format);
  }
}
template <typename A, typename B> constexpr auto div_up(A a, B b) { return (a + b - 1) / b; }
template <typename A, typename B> constexpr auto round_up(A a, B b) { return b * div_up(a, b); }

} // namespace tt

inline constexpr uint32_t NUM_CIRCULAR_BUFFERS = 64;

enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4, Invalid = 255 };
enum class UnpackToDestMode : uint8_t { UnpackToDestFp32, Default };

namespace tt::tt_metal {

enum class DataMovementProcessor { RISCV_0 = 0, RISCV_1 = 1 };
enum NOC : uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };
enum NOC_MODE : uint8_t { DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1 };
enum class KernelBuildOptLevel { O0, O1, O2, O3, Os, Ofast, Oz };

struct DataMovementConfig {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  NOC noc = NOC::RISCV_0_default;
  NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
  std::vector<uint32_t> compile_args;
  std::map<std::string, std::string> defines;
  std::unordered_map<std::string, uint32_t> named_compile_args;
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
};
struct ReaderDataMovementConfig : DataMovementConfig {
  ReaderDataMovementConfig(std::vector<uint32_t> args = {},
                           std::map<std::string, std::string> macros = {},
                           std::unordered_map<std::string, uint32_t> named = {})
      : DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                           .noc = NOC::RISCV_1_default,
                           .compile_args = std::move(args),
                           .defines = std::move(macros),
                           .named_compile_args = std::move(named)} {}
};
struct WriterDataMovementConfig : DataMovementConfig {
  WriterDataMovementConfig(std::vector<uint32_t> args = {},
                           std::map<std::string, std::string> macros = {},
                           std::unordered_map<std::string, uint32_t> named = {})
      : DataMovementConfig{.compile_args = std::move(args),
                           .defines = std::move(macros),
                           .named_compile_args = std::move(named)} {}
};

struct ComputeConfig {
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool fp32_dest_acc_en = false;
  bool dst_full_sync_en = false;
  std::vector<UnpackToDestMode> unpack_to_dest_mode;
  bool bfp8_pack_precise = false;
  bool math_approx_mode = false;
  std::vector<uint32_t> compile_args;
  std::map<std::string, std::string> defines;
  std::unordered_map<std::string, uint32_t> named_compile_args;
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O3;
};

class CircularBufferConfig {
public:
  CircularBufferConfig(uint32_t total_size, const std::map<uint8_t, tt::DataFormat> &formats)
      : total_size_(total_size), formats_(formats) {}
  CircularBufferConfig(uint32_t total_size, const std::map<uint8_t, tt::DataFormat> &formats,
                       const Buffer &buffer)
      : total_size_(total_size), formats_(formats), buffer_(&buffer) {}
  explicit CircularBufferConfig(uint32_t total_size) : total_size_(total_size) {}
  CircularBufferConfig &set_page_size(uint8_t index, uint32_t page_size) {
    page_sizes_[index] = page_size;
    return *this;
  }
  CircularBufferConfig &set_total_size(uint32_t total_size) {
    total_size_ = total_size;
    return *this;
  }
  // The circular buffer lies on a buffer, whose pages on a core are its pages.
  CircularBufferConfig &set_globally_allocated_address(const Buffer &buffer) {
    buffer_ = &buffer;
    return *this;
  }
  uint32_t total_size() const { return total_size_; }
  const std::map<uint8_t, tt::DataFormat> &formats() const { return formats_; }
  uint32_t page_size(uint8_t index) const {
    auto found = page_sizes_.find(index);
    return found == page_sizes_.end() ? 0 : found->second;
  }
  const Buffer *buffer() const { return buffer_; }

  // index(i).set_data_format(f).set_page_size(n), for one of several.
  class Builder {
  public:
    Builder(CircularBufferConfig &config, uint8_t index) : config_(config), index_(index) {}
    Builder &set_data_format(tt::DataFormat format) {
      return config_.formats_[index_] = format, *this;
    }
    Builder &set_page_size(uint32_t bytes) { return config_.page_sizes_[index_] = bytes, *this; }

  private:
    CircularBufferConfig &config_;
    uint8_t index_;
  };
  Builder index(uint8_t index) { return Builder(*this, index); }

private:
  uint32_t total_size_;
  std::map<uint8_t, tt::DataFormat> formats_;
  std::map<uint8_t, uint32_t> page_sizes_;
  const Buffer *buffer_ = nullptr;
};

using KernelHandle = uint32_t;
using CBHandle = uint32_t;

// Owns what the emulated device knows of a program.
class Program {
public:
  Program() : handle_(ttemu_program_create()) {}
  Program(Program &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Program &operator=(Program &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Program() { ttemu_program_destroy(handle_); }
  ttemu_program *handle() const { return handle_; }

private:
  ttemu_program *handle_;
};

inline Program CreateProgram() { return Program(); }

namespace detail {
inline std::vector<ttemu_rect> rectangles(const CoreSpec &cores) {
  std::vector<ttemu_rect> rects;
  for (const CoreRange &r : cores.ranges())
    rects.push_back({uint32_t(r.start_coord.x), uint32_t(r.start_coord.y), uint32_t(r.end_coord.x),
                     uint32_t(r.end_coord.y)});
  return rects;
}
inline uint32_t TileSize(tt::DataFormat format) { return tt::tile_size(format); }
inline NOC GetPreferredNOCForDRAMRead(tt::ARCH) { return NOC::NOC_0; }
inline NOC GetPreferredNOCForDRAMWrite(tt::ARCH) { return NOC::NOC_1; }
} // namespace detail

/*===- Circular buffers -----------------------------------------------------------------===*/

inline CBHandle CreateCircularBuffer(Program &program, const CoreSpec &cores,
                                     const CircularBufferConfig &config) {
  const std::vector<ttemu_rect> rects = detail::rectangles(cores);
  std::vector<ttemu_cb> cbs;
  for (const auto &[index, format] : config.formats())
    cbs.push_back({index, config.page_size(index), static_cast<ttemu_format>(format)});
  TT_FATAL(!cbs.empty(), "a circular buffer needs a data format");
  return ttemu_program_cb(program.handle(), rects.data(), rects.size(), cbs.data(), cbs.size(),
                          config.total_size(),
                          config.buffer() ? config.buffer()->handle() : nullptr);
}
inline void UpdateDynamicCircularBufferAddress(Program &program, CBHandle cb,
                                               const Buffer &buffer) {
  ttemu_change_cb(program.handle(), cb, 0, 0, 0, buffer.handle());
}
inline void UpdateCircularBufferTotalSize(Program &program, CBHandle cb, uint32_t bytes) {
  ttemu_change_cb(program.handle(), cb, 0, bytes, 0, nullptr);
}
inline void UpdateCircularBufferPageSize(Program &program, CBHandle cb, uint8_t index,
                                         uint32_t bytes) {
  ttemu_change_cb(program.handle(), cb, index, 0, bytes, nullptr);
}

/*===- Kernels --------------------------------------------------------------------------===*/

namespace detail {
template <typename Config>
KernelHandle create_kernel(Program &program, const std::string &path, const CoreSpec &cores,
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
  return kernel;
}
inline KernelHandle create_kernel_of(Program &program, const std::string &path,
                                     const CoreSpec &cores, const DataMovementConfig &config,
                                     bool is_source) {
  ttemu_kernel_config c = {};
  c.processor = static_cast<int>(config.processor), c.noc = config.noc, c.phases = 1;
  return create_kernel(program, path, cores, c, config, is_source);
}
inline KernelHandle create_kernel_of(Program &program, const std::string &path,
                                     const CoreSpec &cores, const ComputeConfig &config,
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
using any_config = std::variant<DataMovementConfig, ComputeConfig>;
} // namespace detail

inline KernelHandle CreateKernel(Program &program, const std::string &path, const CoreSpec &cores,
                                 const DataMovementConfig &config) {
  return detail::create_kernel_of(program, path, cores, config, false);
}
inline KernelHandle CreateKernel(Program &program, const std::string &path, const CoreSpec &cores,
                                 const ComputeConfig &config) {
  return detail::create_kernel_of(program, path, cores, config, false);
}
// The kernel's text instead of a path.
inline KernelHandle CreateKernelFromString(Program &program, const std::string &text,
                                           const CoreSpec &cores,
                                           const DataMovementConfig &config) {
  return detail::create_kernel_of(program, text, cores, config, true);
}
inline KernelHandle CreateKernelFromString(Program &program, const std::string &text,
                                           const CoreSpec &cores, const ComputeConfig &config) {
  return detail::create_kernel_of(program, text, cores, config, true);
}

/*===- Arguments and semaphores ---------------------------------------------------------===*/

inline void SetRuntimeArgs(const Program &program, KernelHandle kernel, const CoreSpec &cores,
                           const std::vector<uint32_t> &args) {
  for (const ttemu_rect &r : detail::rectangles(cores))
    for (uint32_t y = r.y0; y <= r.y1; ++y)
      for (uint32_t x = r.x0; x <= r.x1; ++x)
        ttemu_kernel_args(program.handle(), kernel, x, y, args.data(), args.size());
}
inline void SetRuntimeArgs(const Program &program, KernelHandle kernel,
                           const std::vector<CoreCoord> &cores,
                           const std::vector<std::vector<uint32_t>> &args) {
  TT_FATAL(cores.size() == args.size(), "a list of runtime arguments for each core");
  for (std::size_t i = 0; i < cores.size(); ++i) SetRuntimeArgs(program, kernel, cores[i], args[i]);
}

// What was set, to be read and changed.
class RuntimeArgsData {
public:
  RuntimeArgsData(uint32_t *data, std::size_t n) : data_(data), n_(n) {}
  std::size_t size() const { return n_; }
  uint32_t *data() const { return data_; }
  uint32_t &operator[](std::size_t i) const { return at(i); }
  uint32_t &at(std::size_t i) const {
    TT_FATAL(i < n_, "runtime argument {}: {} were set", i, n_);
    return data_[i];
  }

private:
  uint32_t *data_;
  std::size_t n_;
};
inline RuntimeArgsData GetRuntimeArgs(const Program &program, KernelHandle kernel,
                                      const CoreCoord &core) {
  std::size_t n = 0;
  uint32_t *data =
      ttemu_kernel_args_of(program.handle(), kernel, uint32_t(core.x), uint32_t(core.y), &n);
  return RuntimeArgsData(data, n);
}
inline void SetCommonRuntimeArgs(const Program &program, KernelHandle kernel,
                                 const std::vector<uint32_t> &args) {
  ttemu_kernel_common_args(program.handle(), kernel, args.data(), args.size());
}

inline uint32_t CreateSemaphore(Program &program, const CoreSpec &cores, uint32_t initial_value) {
  const std::vector<ttemu_rect> rects = detail::rectangles(cores);
  return ttemu_program_semaphore(program.handle(), rects.data(), rects.size(), initial_value);
}

} // namespace tt::tt_metal

namespace tt::constants {
inline constexpr uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32, TILE_HW = 1024;
inline constexpr uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16, FACE_HW = 256;
} // namespace tt::constants
