// Settings of the matrix engine.
#pragma once

#include <cstdint>

#include <hostdevcommon/common_values.hpp>

enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4, Invalid = 255 };
enum class UnpackToDestMode : uint8_t { UnpackToDestFp32, Default };

// August 2026 has them here.
namespace tt::tt_metal {
using ::MathFidelity;
using ::UnpackToDestMode;
} // namespace tt::tt_metal
