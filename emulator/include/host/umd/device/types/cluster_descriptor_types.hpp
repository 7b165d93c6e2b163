// Devices by number, and boards.
#pragma once

#include <tt-metalium/device_types.hpp>

using tt::ChipId;
enum class BoardType { N150, N300, P150, UBB, UNKNOWN };
