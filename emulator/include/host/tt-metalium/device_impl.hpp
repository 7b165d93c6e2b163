// Devices, where trees of 2025 have them.
#pragma once
#include <tt-metalium/device.hpp>
