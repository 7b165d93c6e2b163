// Of the driver, as trees of 2024 have it.
#pragma once
#include <vector>

#include <tt-metalium/device_types.hpp>
#include <umd/device/cluster_descriptor.hpp>

inline tt::ARCH detect_arch(int = 0) { return tt::get_arch_from_string(ttemu_arch()); }

class tt_SiliconDevice {
public:
  static std::vector<chip_id_t> detect_available_device_ids() { return {0}; }
};
