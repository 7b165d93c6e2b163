// Data formats, and how many bytes they take.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <umd/device/types/arch.hpp>

namespace tt {

enum class DataFormat : uint8_t {
#include "ttemu/data_format.def"
};

constexpr bool is_integer_format(DataFormat format) {
  switch (format) {
  case DataFormat::Int32:
  case DataFormat::UInt32:
  case DataFormat::UInt16:
  case DataFormat::Int8:
  case DataFormat::UInt8:
  case DataFormat::RawUInt8:
  case DataFormat::RawUInt16:
  case DataFormat::RawUInt32: return true;
  default: return false;
  }
}

// Bytes of an element, and of a tile.
constexpr uint32_t datum_size(DataFormat format) {
  switch (format) {
  case DataFormat::Float32:
  case DataFormat::Tf32:
  case DataFormat::Int32:
  case DataFormat::RawUInt32:
  case DataFormat::UInt32: return 4;
  case DataFormat::Float16:
  case DataFormat::Float16_b:
  case DataFormat::RawUInt16:
  case DataFormat::UInt16: return 2;
  default: return 1;
  }
}
constexpr uint32_t tile_size(DataFormat format) {
  switch (format) {
  case DataFormat::Bfp8:
  case DataFormat::Bfp8_b: return 1088;
  case DataFormat::Bfp4:
  case DataFormat::Bfp4_b: return 576;
  case DataFormat::Bfp2:
  case DataFormat::Bfp2_b: return 320;
  default: return 1024 * datum_size(format);
  }
}

inline std::ostream &operator<<(std::ostream &out, DataFormat format) {
  static constexpr const char *const names[] = {
      "Float32", "Float16", "Bfp8", "Bfp4", "Tf32", "Float16_b", "Bfp8_b", "Bfp4_b",
      "Int32",   "UInt16",  "Lf8",  "Bfp2", "",     "",          "Int8",   "Bfp2_b"};
  const uint32_t n = static_cast<uint32_t>(format);
  if (n < 16) return out << names[n];
  return out << (format == DataFormat::UInt32  ? "UInt32"
                 : format == DataFormat::UInt8 ? "UInt8"
                                               : "Invalid");
}

#if defined(TTEMU_API) && TTEMU_API < 202603
// Processors of a core; COMPUTE is the three of the engine.
enum class RISCV : uint8_t {
  BRISC = 0,
  NCRISC = 1,
  TRISC0 = 2,
  TRISC1 = 3,
  TRISC2 = 4,
  ERISC = 5,
  COMPUTE = 6,
  MAX = 7
};
inline std::ostream &operator<<(std::ostream &out, const RISCV &processor) {
  static constexpr const char *const names[] = {"BRISC",  "NCRISC", "TRISC0", "TRISC1",
                                                "TRISC2", "ERISC",  "COMPUTE"};
  return out << (processor < RISCV::MAX ? names[std::size_t(processor)] : "Unknown");
}
#endif

} // namespace tt

template <> struct std::hash<tt::DataFormat> {
  std::size_t operator()(tt::DataFormat format) const { return static_cast<std::size_t>(format); }
};
