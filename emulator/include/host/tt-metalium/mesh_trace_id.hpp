// Stands in mesh_device.hpp.
#pragma once
#include <tt-metalium/mesh_device.hpp>
