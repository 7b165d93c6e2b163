// Devices that are open, as fixtures of tests have them to the middle of 2025.
#pragma once
#include <span>
#include <vector>

#include <tt-metalium/host_api.hpp>

#if defined(TTEMU_API) && TTEMU_API < 202603
namespace tt {

class DevicePool {
public:
  // What else follows tells of dispatch and fabric, which are not emulated.
  static void initialize(const std::vector<tt_metal::ChipId> &ids, uint8_t num_hw_cqs,
                         std::size_t l1_small_size, std::size_t trace_region_size,
                         const tt_metal::DispatchCoreConfig &config, std::span<const uint32_t> = {},
                         std::size_t = 0, bool = true, bool = true, bool = true) {
    for (tt_metal::ChipId id : ids)
      if (!instance().is_device_active(id))
        tt_metal::CreateDevice(id, num_hw_cqs, l1_small_size, trace_region_size, config);
  }
  static DevicePool &instance() {
    static DevicePool pool;
    return pool;
  }
  bool is_device_active(tt_metal::ChipId id) const {
    return tt_metal::ttemu_active_devices().count(id) > 0;
  }
  tt_metal::IDevice *get_active_device(tt_metal::ChipId id) const {
    return tt_metal::ttemu_active_devices().at(id);
  }
  std::vector<tt_metal::IDevice *> get_all_active_devices() const {
    std::vector<tt_metal::IDevice *> all;
    for (const auto &[id, device] : tt_metal::ttemu_active_devices()) all.push_back(device);
    return all;
  }
  bool close_device(tt_metal::ChipId id) {
    return is_device_active(id) && tt_metal::CloseDevice(get_active_device(id));
  }
  bool close_devices(const std::vector<tt_metal::IDevice *> &devices, bool = false) {
    bool closed = true;
    for (tt_metal::IDevice *device : devices) closed &= close_device(device->id());
    return closed;
  }
};

} // namespace tt
namespace tt::tt_metal {
using tt::DevicePool;
}
#endif
