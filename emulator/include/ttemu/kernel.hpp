// What every kernel sees: arguments, circular buffers, and where it runs.
#pragma once

#include "ttemu/standard.h"

#include "ttemu/kernel_calls.h"

#define TTEMU_LINE uint32_t line = __builtin_LINE()
// Circular buffers that the inits of trees before 2025 took where a kernel named none.
#if TTEMU_API < 202603
#define TTEMU_OR(cb) = cb
#else
#define TTEMU_OR(cb)
#endif

#ifndef TTEMU_NAMED_ARGS
#define TTEMU_NAMED_ARGS
#endif

// The objects of the NoC (Noc, CircularBuffer, Semaphore …) were experimental before August 2026.
#if TTEMU_API >= 202608
#define TTEMU_OBJECTS
#define TTEMU_OBJECTS_END
#else
#define TTEMU_OBJECTS namespace experimental {
#define TTEMU_OBJECTS_END }
#endif

namespace ttemu {
// A line that no number is taken for, where forms of a function differ in how many they take.
struct call_line {
  uint32_t line;
};
constexpr call_line here(uint32_t line = __builtin_LINE()) { return {line}; }
} // namespace ttemu

namespace tt {
enum CBIndex : std::uint8_t {
#include "ttemu/cb_index.def"
};
#if TTEMU_API < 202608
enum CB : std::uint8_t {
#include "ttemu/cb_purpose.def"
};
enum HlkOperand : std::uint8_t {
#include "ttemu/operands.def"
};
#endif
} // namespace tt

enum class DataFormat : std::uint8_t {
#include "ttemu/data_format.def"
};

using uint = unsigned int;
// Sizes are as wide as uint32_t on the chip, so that these take one of each.
namespace std {
constexpr size_t min(unsigned a, size_t b) { return a < b ? a : b; }
constexpr size_t min(size_t a, unsigned b) { return a < b ? a : b; }
constexpr size_t max(unsigned a, size_t b) { return a > b ? a : b; }
constexpr size_t max(size_t a, unsigned b) { return a > b ? a : b; }
} // namespace std
using std::int32_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

#define sfpi_inline inline
#define FORCE_INLINE inline __attribute__((always_inline))
#define ALWI inline __attribute__((always_inline))
#define tt_l1_ptr
#define tt_reg_ptr
#ifndef ASSERT
#define ASSERT(condition, ...) ((condition) ? void() : ttemu_kernel_failure(#condition, __LINE__))
#endif
// Zones of the vendor's profiler; the emulated device has its own (--trace).
#define DeviceZoneScopedN(name)
#define DeviceZoneScopedSumN1(name)
#define DeviceZoneScopedSumN2(name)
#define DeviceZoneSetCounter(value)
#define DeviceRecordEvent(id)
#define DeviceZoneScopedMainN(name)
#define DeviceTimestampedData(name, data)

namespace ttemu {
// A first element that is no argument, so that the list is never empty.
inline constexpr uint32_t compile_args[] = {0, TTEMU_COMPILE_ARGS};
constexpr uint32_t compile_arg(uint32_t index) { return compile_args[index + 1]; }

struct named_arg {
  std::string_view name;
  uint32_t value;
};
inline constexpr named_arg named_args[] = {{"", 0}, TTEMU_NAMED_ARGS};
constexpr uint32_t find_named_arg(std::string_view name) {
  for (const named_arg *arg = std::begin(named_args) + 1; arg != std::end(named_args); ++arg)
    if (arg->name == name) return arg->value;
  if (std::is_constant_evaluated())
    throw "the host has not set a compile-time argument of this name";
  ttemu_kernel_failure("the host has set a compile-time argument of this name", __builtin_LINE());
  return 0;
}
} // namespace ttemu

#define get_compile_time_arg_val(index) ttemu::compile_arg_at<index>()
namespace ttemu {
inline constexpr std::size_t num_compile_args = sizeof compile_args / sizeof *compile_args - 1;
template <uint32_t tIndex> constexpr uint32_t compile_arg_at() {
  static_assert(tIndex < num_compile_args,
                "the host has set fewer compile-time arguments (CreateKernel's compile_args)");
  return compile_arg(tIndex);
}
constexpr std::array<uint32_t, num_compile_args> list_compile_args() {
  std::array<uint32_t, num_compile_args> list{};
  for (std::size_t i = 0; i < num_compile_args; ++i) list[i] = compile_args[i + 1];
  return list;
}
} // namespace ttemu
// The arguments as an array.
inline constexpr auto kernel_compile_time_args = ttemu::list_compile_args();
#define get_named_compile_time_arg_val(name) ttemu::find_named_arg(name)
#if TTEMU_API >= 202603
constexpr uint32_t get_named_ct_arg(std::string_view name) { return ttemu::find_named_arg(name); }
#endif
#if TTEMU_API >= 202608
template <uint32_t tIndex> constexpr uint32_t get_ct_arg() {
  return ttemu::compile_arg_at<tIndex>();
}
#endif

namespace ttemu {
// A word as another type; a pointer has four bytes on the chip.
template <typename T> inline T word_as(uint32_t word) {
  if constexpr (std::is_pointer_v<T>) return reinterpret_cast<T>(uintptr_t{word});
  else {
    static_assert(sizeof(T) == 4, "runtime arguments have 4 bytes");
    return __builtin_bit_cast(T, word);
  }
}
} // namespace ttemu
template <typename T> inline T get_arg_val(int index, TTEMU_LINE) {
  return ttemu::word_as<T>(ttemu_arg(static_cast<uint32_t>(index), line));
}
template <typename T> inline T get_common_arg_val(int index, TTEMU_LINE) {
  return ttemu::word_as<T>(ttemu_common_arg(static_cast<uint32_t>(index), line));
}
// Where the arguments lie: an address that can be read through.
inline uintptr_t get_arg_addr(int index, TTEMU_LINE) {
  return ttemu_arg_address(static_cast<uint32_t>(index), false, line);
}
inline uintptr_t get_common_arg_addr(int index, TTEMU_LINE) {
  return ttemu_arg_address(static_cast<uint32_t>(index), true, line);
}

// The core's place in the grid, and in the rectangle of its kernel.
inline uint8_t get_absolute_logical_x() { return static_cast<uint8_t>(ttemu_core_x()); }
inline uint8_t get_absolute_logical_y() { return static_cast<uint8_t>(ttemu_core_y()); }
inline uint8_t get_relative_logical_x() { return static_cast<uint8_t>(ttemu_relative_x()); }
inline uint8_t get_relative_logical_y() { return static_cast<uint8_t>(ttemu_relative_y()); }

// What a circular buffer holds. As constants where a kernel asks for them: then it is compiled when
// its circular buffers are known, and these are their formats.
#ifndef TTEMU_CB_FORMATS
#define TTEMU_CB_FORMATS
#endif
#ifndef TTEMU_CB_TILES
#define TTEMU_CB_TILES
#endif
namespace ttemu {
inline constexpr uint8_t cb_formats[] = {TTEMU_CB_FORMATS 255};
inline constexpr uint16_t cb_tiles[] = {TTEMU_CB_TILES 0}; // rows * 256 + columns
constexpr uint32_t tile_of(std::int32_t cb) {
  constexpr std::int32_t known = sizeof cb_tiles / sizeof *cb_tiles - 1;
  return cb >= 0 && cb < known ? cb_tiles[cb] : 32 * 256 + 32;
}
constexpr uint32_t elements_of(uint32_t shape) { return (shape >> 8) * (shape & 255); }
constexpr uint32_t faces_of(uint32_t shape) {
  return (shape >> 8 > 16 ? 2 : 1) * ((shape & 255) > 16 ? 2 : 1);
}
constexpr uint32_t bytes_of_format(uint32_t format) {
  switch (static_cast<DataFormat>(format)) {
  case DataFormat::Float32:
  case DataFormat::Int32:
  case DataFormat::UInt32: return 4096;
  case DataFormat::Float16:
  case DataFormat::Float16_b:
  case DataFormat::UInt16: return 2048;
  case DataFormat::Int8:
  case DataFormat::UInt8: return 1024;
  case DataFormat::Bfp8:
  case DataFormat::Bfp8_b: return 1024 + 64;
  case DataFormat::Bfp4:
  case DataFormat::Bfp4_b: return 512 + 64;
  case DataFormat::Invalid:
    // None of the kernel's cores has it: what the chip's tables say then. Without the throw, a
    // `const` would become a constant where the formats are not known yet.
    if (sizeof cb_formats > 1) return 1088;
    [[fallthrough]];
  default: throw "the size of a tile of this data format is not known";
  }
}
// Of a tile of another shape; block formats have an exponent for each row of a face, 16 at least.
constexpr uint32_t bytes_of_tile(uint32_t format, uint32_t shape) {
  const uint32_t whole = bytes_of_format(format), n = elements_of(shape);
  if (n == 0 || n == 1024) return whole;
  const uint32_t exponents = whole % 512 ? (n / 16 + 15) / 16 * 16 : 0;
  return whole / 512 * n / 2 + exponents;
}
} // namespace ttemu
constexpr DataFormat get_dataformat(std::int32_t cb, TTEMU_LINE) {
  if (std::is_constant_evaluated()) return static_cast<DataFormat>(ttemu::cb_formats[cb]);
  return static_cast<DataFormat>(ttemu_cb_format(static_cast<uint32_t>(cb), line));
}
constexpr std::int32_t get_tile_size(std::int32_t cb, TTEMU_LINE) {
  if (std::is_constant_evaluated())
    return static_cast<std::int32_t>(
        ttemu::bytes_of_tile(ttemu::cb_formats[cb], ttemu::tile_of(cb)));
  return static_cast<std::int32_t>(ttemu_cb_tile_bytes(static_cast<uint32_t>(cb), line));
}
constexpr uint32_t get_tile_hw(std::int32_t cb, TTEMU_LINE) {
  if (std::is_constant_evaluated()) return ttemu::elements_of(ttemu::tile_of(cb));
  return ttemu::elements_of(ttemu_cb_tile_shape(static_cast<uint32_t>(cb), line));
}
constexpr uint32_t get_tile_num_faces(std::int32_t cb, TTEMU_LINE) {
  if (std::is_constant_evaluated()) return ttemu::faces_of(ttemu::tile_of(cb));
  return ttemu::faces_of(ttemu_cb_tile_shape(static_cast<uint32_t>(cb), line));
}

inline void cb_reserve_back(uint32_t cb, uint32_t n, TTEMU_LINE) {
  ttemu_cb_reserve_back(cb, n, line);
}
inline void cb_push_back(uint32_t cb, uint32_t n, TTEMU_LINE) { ttemu_cb_push_back(cb, n, line); }
inline void cb_wait_front(uint32_t cb, uint32_t n, TTEMU_LINE) { ttemu_cb_wait_front(cb, n, line); }
inline void cb_pop_front(uint32_t cb, uint32_t n, TTEMU_LINE) { ttemu_cb_pop_front(cb, n, line); }
