// The build of each device, of which there is one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <jit_build/build.hpp>
#include <tt-metalium/assert.hpp>
#include <tt-metalium/hal_types.hpp>

namespace tt::tt_metal {

struct DeviceBuildEnv {
  uint64_t build_key() const { return build_env.get_build_key(); }
  JitBuildEnv build_env;
};

class BuildEnvManager {
public:
  static BuildEnvManager &get_instance() {
    static BuildEnvManager manager;
    return manager;
  }
  const DeviceBuildEnv &get_device_build_env(int) const { return env_; }
  const JitBuildState &get_kernel_build_state(int, uint32_t core_type, uint32_t processor_class,
                                              int processor) const {
    const uint32_t compute = static_cast<uint32_t>(HalProcessorClassType::COMPUTE);
    TT_FATAL(core_type == 0 && processor_class <= compute && processor >= 0 &&
                 processor < (processor_class == compute ? 3 : 2),
             "there is no processor {} of class {} on cores of kind {}", processor, processor_class,
             core_type);
    return states_[(processor_class == compute ? 2 : 0) + static_cast<std::size_t>(processor)];
  }

private:
  BuildEnvManager() = default;
  DeviceBuildEnv env_;
  std::array<JitBuildState, 5> states_{{{env_.build_env, "brisc"},
                                        {env_.build_env, "ncrisc"},
                                        {env_.build_env, "trisc0"},
                                        {env_.build_env, "trisc1"},
                                        {env_.build_env, "trisc2"}}};
};

} // namespace tt::tt_metal
