// How many circular buffers a program may name; the chip may have fewer.
#pragma once

#include <cstdint>

inline constexpr uint32_t NUM_CIRCULAR_BUFFERS = 64;
