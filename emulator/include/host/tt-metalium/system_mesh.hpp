// The devices of the machine: as many as the emulated one has.
#pragma once

#include <tt-metalium/mesh_coord.hpp>

#include "ttemu/host_calls.h"

namespace tt::tt_metal::distributed {

class SystemMesh {
public:
  explicit SystemMesh(const MeshShape &shape) : shape_(shape) {}
  static SystemMesh &instance() {
    static SystemMesh mesh(MeshShape(2, TTEMU_DEVICES / 2));
    return mesh;
  }
  const MeshShape &shape() const { return shape_; }
  const MeshShape &local_shape() const { return shape_; }

private:
  MeshShape shape_;
};

} // namespace tt::tt_metal::distributed
