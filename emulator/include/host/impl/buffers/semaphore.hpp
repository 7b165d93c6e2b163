// Semaphores are numbers.
#pragma once
#include <tt-metalium/host_api.hpp>
namespace tt::tt_metal {
inline constexpr std::uint32_t NUM_SEMAPHORES = 16; // of a core
}
