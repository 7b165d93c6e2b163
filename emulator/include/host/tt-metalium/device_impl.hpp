// Devices, where trees of 2025 have them.
#pragma once
#include <impl/context/metal_context.hpp> // which it brings along
#include <tt-metalium/device.hpp>
