// How many circular buffers a program may name; the chip may have fewer. What one takes in L1, in
// words of a host, and in what units the engine counts.
#pragma once

#include <cstdint>

inline constexpr uint32_t NUM_CIRCULAR_BUFFERS = 64;
inline constexpr uint32_t UINT32_WORDS_PER_LOCAL_CIRCULAR_BUFFER_CONFIG = 4;
inline constexpr uint32_t UINT32_WORDS_PER_REMOTE_CIRCULAR_BUFFER_CONFIG = 2;
inline constexpr uint32_t CIRCULAR_BUFFER_COMPUTE_WORD_SIZE = 16;
inline constexpr uint32_t CIRCULAR_BUFFER_COMPUTE_ADDR_SHIFT = 4;
#if defined(TTEMU_API) && TTEMU_API < 202603
inline constexpr uint32_t UINT32_WORDS_PER_CIRCULAR_BUFFER_CONFIG = 4;
#endif
