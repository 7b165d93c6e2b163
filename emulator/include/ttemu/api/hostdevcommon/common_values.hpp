// Values of semaphores that say whether data is there.
#pragma once
#include <cstdint>
constexpr static std::uint32_t INVALID = 0, VALID = 1;
