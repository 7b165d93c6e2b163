// The host API, on the emulated device.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>
#if __has_include(<bits/shared_ptr.h>)
#include <bits/shared_ptr.h>  // all that is needed of <memory>, in a third of its time
#else
#include <memory>
#endif

#include "ttemu/device.h"

namespace tt {

enum class DataFormat : uint8_t {
  Float32 = 0, Float16 = 1, Bfp8 = 2, Bfp4 = 3, Float16_b = 5, Bfp8_b = 6, Bfp4_b = 7, Int32 = 8,
  UInt16 = 9, Int8 = 14, UInt32 = 24, UInt8 = 30, Invalid = 255,
};

enum CBIndex : uint8_t {
  c_0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15, c_16, c_17,
  c_18, c_19, c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31, c_32, c_33,
  c_34, c_35, c_36, c_37, c_38, c_39, c_40, c_41, c_42, c_43, c_44, c_45, c_46, c_47, c_48, c_49,
  c_50, c_51, c_52, c_53, c_54, c_55, c_56, c_57, c_58, c_59, c_60, c_61, c_62, c_63,
};

}  // namespace tt

inline constexpr uint32_t NUM_CIRCULAR_BUFFERS = 64;

enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4, Invalid = 255 };
enum class UnpackToDestMode : uint8_t { UnpackToDestFp32, Default };

namespace tt::tt_metal {

struct CoreCoord {
  std::size_t x = 0, y = 0;
  constexpr CoreCoord() = default;
  constexpr CoreCoord(std::size_t x_, std::size_t y_) : x(x_), y(y_) {}
  bool operator==(const CoreCoord &other) const { return x == other.x && y == other.y; }
  bool operator<(const CoreCoord &other) const { return y != other.y ? y < other.y : x < other.x; }
};

struct CoreRange {
  CoreCoord start_coord, end_coord;
  CoreRange(CoreCoord point) : start_coord(point), end_coord(point) {}
  CoreRange(CoreCoord start, CoreCoord end) : start_coord(start), end_coord(end) {}
  std::size_t size() const {
    return (end_coord.x - start_coord.x + 1) * (end_coord.y - start_coord.y + 1);
  }
  bool contains(const CoreCoord &c) const {
    return c.x >= start_coord.x && c.x <= end_coord.x && c.y >= start_coord.y && c.y <= end_coord.y;
  }
};

class CoreRangeSet {
public:
  CoreRangeSet() = default;
  CoreRangeSet(CoreRange range) : ranges_{range} {}
  explicit CoreRangeSet(std::vector<CoreRange> ranges) : ranges_(std::move(ranges)) {}
  const std::vector<CoreRange> &ranges() const { return ranges_; }
  uint32_t num_cores() const {
    std::size_t n = 0;
    for (const CoreRange &r : ranges_) n += r.size();
    return static_cast<uint32_t>(n);
  }
  bool contains(const CoreCoord &core) const {
    for (const CoreRange &r : ranges_)
      if (r.contains(core)) return true;
    return false;
  }

private:
  std::vector<CoreRange> ranges_;
};

// A core, a range of cores or a set of ranges, as functions take them.
class CoreSpec : public CoreRangeSet {
public:
  CoreSpec(CoreCoord core) : CoreRangeSet(CoreRange(core)) {}
  CoreSpec(CoreRange range) : CoreRangeSet(range) {}
  CoreSpec(CoreRangeSet set) : CoreRangeSet(std::move(set)) {}
};

enum class BufferType { DRAM, L1 };
enum class DataMovementProcessor { RISCV_0 = 0, RISCV_1 = 1 };
enum NOC : uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };

struct DataMovementConfig {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  NOC noc = NOC::RISCV_0_default;
  std::vector<uint32_t> compile_args;
  std::map<std::string, std::string> defines;
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
};

class CircularBufferConfig {
public:
  CircularBufferConfig(uint32_t total_size, const std::map<uint8_t, tt::DataFormat> &formats)
      : total_size_(total_size), formats_(formats) {}
  CircularBufferConfig &set_page_size(uint8_t index, uint32_t page_size) {
    page_sizes_[index] = page_size;
    return *this;
  }
  uint32_t total_size() const { return total_size_; }
  const std::map<uint8_t, tt::DataFormat> &formats() const { return formats_; }
  uint32_t page_size(uint8_t index) const {
    auto found = page_sizes_.find(index);
    return found == page_sizes_.end() ? 0 : found->second;
  }

private:
  uint32_t total_size_;
  std::map<uint8_t, tt::DataFormat> formats_;
  std::map<uint8_t, uint32_t> page_sizes_;
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
}  // namespace detail

inline CBHandle CreateCircularBuffer(Program &program, const CoreSpec &cores,
                                     const CircularBufferConfig &config) {
  const std::vector<ttemu_rect> rects = detail::rectangles(cores);
  CBHandle handle = 0;
  for (const auto &[index, format] : config.formats()) {
    ttemu_program_cb(program.handle(), rects.data(), rects.size(), index, config.total_size(),
                     config.page_size(index), static_cast<ttemu_format>(format));
    handle = index;
  }
  return handle;
}

namespace detail {
inline KernelHandle create_kernel(Program &program, const std::string &path, const CoreSpec &cores,
                                  ttemu_kernel_config config, const std::vector<uint32_t> &args,
                                  const std::map<std::string, std::string> &defines) {
  std::vector<const char *> pairs;
  for (const auto &[name, value] : defines) pairs.push_back(name.c_str()), pairs.push_back(value.c_str());
  config.path = path.c_str();
  config.compile_args = args.data(), config.num_compile_args = args.size();
  config.defines = pairs.data(), config.num_defines = defines.size();
  const uint32_t kernel = ttemu_program_kernel(program.handle(), &config);
  for (const ttemu_rect &rect : rectangles(cores)) ttemu_kernel_cores(program.handle(), kernel, rect);
  return kernel;
}
}  // namespace detail

inline KernelHandle CreateKernel(Program &program, const std::string &path, const CoreSpec &cores,
                                 const DataMovementConfig &config) {
  ttemu_kernel_config c = {};
  c.processor = static_cast<int>(config.processor), c.noc = config.noc, c.phases = 1;
  return detail::create_kernel(program, path, cores, c, config.compile_args, config.defines);
}

inline KernelHandle CreateKernel(Program &program, const std::string &path, const CoreSpec &cores,
                                 const ComputeConfig &config) {
  uint8_t unpack[NUM_CIRCULAR_BUFFERS] = {};
  for (std::size_t i = 0; i < config.unpack_to_dest_mode.size() && i < NUM_CIRCULAR_BUFFERS; ++i)
    unpack[i] = config.unpack_to_dest_mode[i] == UnpackToDestMode::UnpackToDestFp32;
  ttemu_kernel_config c = {};
  c.processor = 2;
  c.phases = config.math_fidelity == MathFidelity::LoFi ? 1 : static_cast<int>(config.math_fidelity);
  c.fp32_dest = config.fp32_dest_acc_en, c.full_sync = config.dst_full_sync_en;
  c.approx = config.math_approx_mode, c.unpack_to_dest = unpack;
  return detail::create_kernel(program, path, cores, c, config.compile_args, config.defines);
}

inline void SetRuntimeArgs(const Program &program, KernelHandle kernel, const CoreSpec &cores,
                           const std::vector<uint32_t> &args) {
  for (const ttemu_rect &r : detail::rectangles(cores))
    for (uint32_t y = r.y0; y <= r.y1; ++y)
      for (uint32_t x = r.x0; x <= r.x1; ++x)
        ttemu_kernel_args(program.handle(), kernel, x, y, args.data(), args.size());
}

inline void SetCommonRuntimeArgs(const Program &program, KernelHandle kernel,
                                 const std::vector<uint32_t> &args) {
  ttemu_kernel_common_args(program.handle(), kernel, args.data(), args.size());
}

// The device has every semaphore of a program on all cores.
inline uint32_t CreateSemaphore(Program &program, const CoreSpec &, uint32_t initial_value) {
  return ttemu_program_semaphore(program.handle(), initial_value);
}

}  // namespace tt::tt_metal

namespace tt::constants {
inline constexpr uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32, TILE_HW = 1024;
inline constexpr uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16, FACE_HW = 256;
}  // namespace tt::constants

namespace ttemu {
// The message as it stands in the source; its values are not filled in.
template <typename... Values>
void fail(const char *file, int line, const char *condition, const char *text = "", const Values &...) {
  ttemu_host_failure(file, line, condition, text);
}
}  // namespace ttemu

#define TT_FATAL(condition, ...) \
  ((condition) ? void() : ttemu::fail(__FILE__, __LINE__, #condition, ##__VA_ARGS__))
#define TT_ASSERT(condition, ...) TT_FATAL(condition, __VA_ARGS__)
#define TT_THROW(...) ttemu::fail(__FILE__, __LINE__, "no TT_THROW", ##__VA_ARGS__)

using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
