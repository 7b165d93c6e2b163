// Options of the runtime as host tests ask for them. Those of its tools (watcher, profiler,
// inspector) are kept and have no effect: the emulated device has checks and reports of its own.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#if defined(TTEMU_API) && TTEMU_API < 202603
#include <common/env_lib.hpp> // which it brings along
#endif
#include <llrt/debug_features.hpp>
#include <tt-metalium/dispatch_core_common.hpp>
#include <umd/device/types/cluster_descriptor_types.hpp>

namespace tt {
enum class TargetDevice : uint8_t { Silicon = 0, Simulator = 1, Mock = 2, Invalid = 0xFF };
} // namespace tt

namespace tt::llrt {

class RunTimeOptions : public DebugFeatures {
public:
#if defined(TTEMU_API) && TTEMU_API < 202603
  static RunTimeOptions &get_instance() { // to March 2025
    static RunTimeOptions options;
    return options;
  }
#endif
  tt_metal::DispatchCoreType get_dispatch_core_type() const {
    return get_dispatch_core_config().get_dispatch_core_type();
  }
  tt_metal::DispatchCoreConfig get_dispatch_core_config() const { return {}; }
  TargetDevice get_target_device() const { return TargetDevice::Silicon; }
  bool get_simulator_enabled() const { return false; }
  bool get_mock_enabled() const { return false; }
  bool get_profiler_enabled() const { return false; }
  bool get_inspector_enabled() const { return false; }
  bool get_fast_dispatch() const { return !std::getenv("TT_METAL_SLOW_DISPATCH_MODE"); }
  std::string get_simulator_path() const { return {}; }
  // Where kernels are looked for, and logs would be.
  bool is_kernel_dir_specified() const { return std::getenv("TT_METAL_KERNEL_PATH") != nullptr; }
  std::string get_kernel_dir() const { return folder("TT_METAL_KERNEL_PATH"); }
  std::string get_root_dir() const { return folder("TT_METAL_HOME"); }
  std::string get_logs_dir() const { return folder("TT_METAL_LOGS_PATH"); }

#define TTEMU_OPTION(type, name, value)                                                            \
  type get_##name() const { return name##_; }                                                      \
  void set_##name(type to) { name##_ = to; }                                                       \
                                                                                                   \
private:                                                                                           \
  type name##_ = value;                                                                            \
                                                                                                   \
public:
  TTEMU_OPTION(uint8_t, num_hw_cqs, 1)
  TTEMU_OPTION(bool, test_mode_enabled, false)
  TTEMU_OPTION(bool, watcher_enabled, false)
  TTEMU_OPTION(int, watcher_interval, 0)
  TTEMU_OPTION(bool, watcher_dump_all, false)
  TTEMU_OPTION(bool, watcher_append, false)
  TTEMU_OPTION(bool, watcher_auto_unpause, false)
  TTEMU_OPTION(bool, watcher_noinline, false)
  TTEMU_OPTION(unsigned, watcher_debug_delay, 0)
  TTEMU_OPTION(bool, watcher_noc_sanitize_linked_transaction, false)
  TTEMU_OPTION(bool, use_device_print, false)
  TTEMU_OPTION(bool, kernels_nullified, false)
  TTEMU_OPTION(bool, kernels_early_return, false)
  TTEMU_OPTION(bool, clear_l1, false)
  TTEMU_OPTION(bool, clear_dram, false)
  TTEMU_OPTION(bool, force_jit_compile, false)
  TTEMU_OPTION(bool, fd_fabric, false)
#undef TTEMU_OPTION

private:
  static std::string folder(const char *variable) {
    const char *value = std::getenv(variable);
    return value ? std::string(value) + "/" : std::string();
  }
};

#if defined(TTEMU_API) && TTEMU_API < 202603
inline RunTimeOptions &OptionsG = RunTimeOptions::get_instance(); // in 2024
#endif

} // namespace tt::llrt
