// Kinds of memory and of programmable cores.
#pragma once

#include <cstdint>

namespace tt::tt_metal {

using DeviceAddr = std::uint64_t;
enum class HalProgrammableCoreType { TENSIX = 0, ACTIVE_ETH = 1, IDLE_ETH = 2, COUNT = 3 };
enum class HalMemType : uint8_t { L1 = 0, DRAM = 1, HOST = 2, COUNT = 3 };
inline constexpr uint32_t NumHalProgrammableCoreTypes = 3;
// Parts of memory. Programs may use those that are not reserved; the others are the firmware's.
enum class HalL1MemAddrType : uint8_t {
  BASE,
  BARRIER,
  MAILBOX,
  LAUNCH,
  WATCHER,
  DPRINT_BUFFERS,
  PROFILER,
  KERNEL_CONFIG,
  UNRESERVED,
  DEFAULT_UNRESERVED
};
enum class HalDramMemAddrType : uint8_t { BARRIER = 0, PROFILER = 1, UNRESERVED = 2 };
enum class HalProcessorClassType : uint8_t { DM = 0, COMPUTE = 1 };

} // namespace tt::tt_metal
