#pragma once
#include "parts/words.hpp" // from the program's folder, which its build searches
inline constexpr uint32_t PAGE = 4 * WORDS;
