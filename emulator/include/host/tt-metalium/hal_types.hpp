// Kinds of memory and of programmable cores.
#pragma once

#include <array>
#include <cstddef>
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

struct HalProcessorIdentifier {
  HalProgrammableCoreType core_type = HalProgrammableCoreType::TENSIX;
  HalProcessorClassType processor_class = HalProcessorClassType::DM;
  int processor_type = 0;
};

// Processors of the kinds of cores, by their numbers: of a worker core two that move data, then
// unpack, math and pack.
class HalProcessorSet {
public:
  static HalProcessorSet of_worker_core() {
    HalProcessorSet all;
    for (uint32_t p = 0; p < 5; ++p) all.add(HalProgrammableCoreType::TENSIX, p);
    return all;
  }
  void add(HalProgrammableCoreType type, uint32_t processor) {
    masks_.at(std::size_t(type)) |= 1u << processor;
  }
  bool contains(HalProgrammableCoreType type, uint32_t processor) const {
    return masks_.at(std::size_t(type)) >> processor & 1;
  }
  bool empty() const { return masks_ == std::array<uint32_t, NumHalProgrammableCoreTypes>{}; }
  uint32_t get_processor_mask(HalProgrammableCoreType type) const {
    return masks_.at(std::size_t(type));
  }

private:
  std::array<uint32_t, NumHalProgrammableCoreTypes> masks_{};
};

} // namespace tt::tt_metal
