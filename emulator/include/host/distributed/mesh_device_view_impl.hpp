// Of the runtime's inside: MeshDeviceView::impl(), which is the view itself.
#pragma once
#include <tt-metalium/mesh_device_view.hpp>
