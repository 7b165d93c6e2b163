// Values that host programs and kernels share.
#pragma once

#include <cstddef>
#include <cstdint>

constexpr static std::uint32_t INVALID = 0, VALID = 1;
// 0: as the device has it.
constexpr static std::size_t DEFAULT_L1_SMALL_SIZE = 0, DEFAULT_TRACE_REGION_SIZE = 0,
                             DEFAULT_WORKER_L1_SIZE = 0;
