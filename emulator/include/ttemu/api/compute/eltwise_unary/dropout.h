// Zeros with a chance of `probability` / 2^31, the rest times a scale.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
inline void dropout_kernel_init(uint32_t seed = 0, TTEMU_LINE) { ttemu_seed_random(seed, line); }
#if TTEMU_API < 202603 // its first name
inline void dropout_tile_init(uint32_t seed = 0, TTEMU_LINE) { ttemu_seed_random(seed, line); }
#endif
inline void dropout_tile(uint32_t dst, uint32_t probability, uint32_t scale, TTEMU_LINE) {
  ttemu_dropout_tile(dst, probability, __builtin_bit_cast(float, scale), line);
}
} // namespace ckernel
using namespace ckernel;
