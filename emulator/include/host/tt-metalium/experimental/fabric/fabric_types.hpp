// Links between chips, which are not emulated: a program may say that it uses none.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <ostream>

#include <tt-metalium/assert.hpp>
#include <tt_stl/strong_type.hpp>

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

// A device by its mesh, and its place in it.
using MeshId = ttsl::StrongType<uint32_t, struct MeshIdTag>;
using MeshHostRankId = ttsl::StrongType<uint32_t, struct HostRankTag>;
class FabricNodeId {
public:
  explicit FabricNodeId(MeshId mesh, uint32_t chip) : mesh_id(mesh), chip_id(chip) {}
  MeshId mesh_id{0};
  uint32_t chip_id = 0;
  auto operator<=>(const FabricNodeId &) const = default;
};
inline std::ostream &operator<<(std::ostream &out, const FabricNodeId &node) {
  return out << "M" << *node.mesh_id << "D" << node.chip_id;
}

template <typename... Options>
inline void SetFabricConfig(FabricConfig config, const Options &...) {
  TT_FATAL(config == FabricConfig::DISABLED, "links between chips are not emulated");
}
} // namespace tt::tt_fabric

template <> struct std::hash<tt::tt_fabric::FabricNodeId> {
  std::size_t operator()(const tt::tt_fabric::FabricNodeId &node) const noexcept {
    return std::size_t(*node.mesh_id) << 32 ^ node.chip_id;
  }
};
