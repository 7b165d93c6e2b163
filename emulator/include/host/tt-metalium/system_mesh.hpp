// The devices of the machine: as many as the emulated one has.
#pragma once

#include <tt-metalium/mesh_coord.hpp>

#include "ttemu/device.h"

namespace tt::tt_metal::distributed {

class SystemMesh {
public:
  static SystemMesh &instance() {
    static SystemMesh mesh;
    return mesh;
  }
  const MeshShape &shape() const { return shape_; }
  const MeshShape &local_shape() const { return shape_; }

private:
  MeshShape shape_{2, TTEMU_DEVICES / 2};
};

} // namespace tt::tt_metal::distributed
