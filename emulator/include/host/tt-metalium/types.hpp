// Addresses and numbers of devices, where trees of 2025 have them.
#pragma once
#include <tt-metalium/device_types.hpp>
