// Sets of cores that programs are launched on apart from each other.
#pragma once

#include <span>

#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/hal_types.hpp>
#include <tt-metalium/sub_device_types.hpp>

namespace tt::tt_metal {

class SubDevice {
public:
  explicit SubDevice(std::span<const CoreRangeSet> cores) {
    if (!cores.empty()) workers_ = cores.front();
  }
  template <std::size_t tKinds>
  explicit SubDevice(const std::array<CoreRangeSet, tKinds> &cores)
      : SubDevice(std::span<const CoreRangeSet>(cores)) {}
  // Worker cores are the only ones that are emulated.
  const CoreRangeSet &cores(HalProgrammableCoreType kind) const {
    return kind == HalProgrammableCoreType::TENSIX ? workers_ : none_;
  }

private:
  CoreRangeSet workers_, none_;
};

} // namespace tt::tt_metal
