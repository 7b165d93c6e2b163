#pragma once
#include <cstdint>
inline constexpr uint32_t WORDS = 16;
