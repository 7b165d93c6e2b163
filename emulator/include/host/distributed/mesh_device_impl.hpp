// Of the runtime's inside: MeshDevice::impl(), which is the mesh itself.
#pragma once
#include <tt-metalium/mesh_device.hpp>
