#pragma once
#include <cstdint>
inline uint32_t scaled(uint32_t word, uint32_t factor) { return word * factor; }
