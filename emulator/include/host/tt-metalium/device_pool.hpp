// Devices, where trees of 2025 have them.
#pragma once
#include <tt-metalium/host_api.hpp>
