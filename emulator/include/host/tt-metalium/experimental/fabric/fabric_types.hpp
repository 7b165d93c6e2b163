// Links between chips, which are not emulated: a program may say that it uses none.
#pragma once

#include <cstdint>
#include <optional>

#include <tt-metalium/assert.hpp>

namespace tt::tt_fabric {
enum class FabricConfig : uint32_t {
  DISABLED,
  FABRIC_1D_NEIGHBOR_EXCHANGE,
  FABRIC_1D,
  FABRIC_1D_RING,
  FABRIC_2D,
  FABRIC_2D_TORUS_X,
  FABRIC_2D_TORUS_Y,
  FABRIC_2D_TORUS_XY,
  CUSTOM
};
enum class FabricTensixConfig : uint32_t { DISABLED, MUX, UDM };
enum class FabricUDMMode : uint32_t { DISABLED, ENABLED };
enum class FabricReliabilityMode : uint32_t {
  STRICT_SYSTEM_HEALTH_SETUP_MODE,
  RELAXED_SYSTEM_HEALTH_SETUP_MODE,
  DYNAMIC_RECONFIGURATION_SETUP_MODE
};
template <typename... Options>
inline void SetFabricConfig(FabricConfig config, const Options &...) {
  TT_FATAL(config == FabricConfig::DISABLED, "links between chips are not emulated");
}
} // namespace tt::tt_fabric
