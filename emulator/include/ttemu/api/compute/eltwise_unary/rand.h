// Random numbers: uniform from `from` on to before `from` + `scale`. Not the chip's own sequence.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
inline void rand_tile_init(uint32_t seed = 0, TTEMU_LINE) { ttemu_seed_random(seed, line); }
inline void rand_tile(uint32_t dst, uint32_t from, uint32_t scale, TTEMU_LINE) {
  ttemu_rand_tile(dst, __builtin_bit_cast(float, from), __builtin_bit_cast(float, scale), line);
}
} // namespace ckernel
using namespace ckernel;
