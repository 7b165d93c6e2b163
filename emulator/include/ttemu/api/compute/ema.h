// Moving averages down each column: alpha times the last one, beta times the new element. They go
// to the tile of DST after that of the elements.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
inline void ema_init(uint32_t alpha, uint32_t beta, TTEMU_LINE) {
  ttemu_ema_init(__builtin_bit_cast(float, alpha), __builtin_bit_cast(float, beta), line);
}
inline void ema_clear_previous_output(TTEMU_LINE) { ttemu_ema_clear(line); }
inline void ema_tile(uint32_t dst, TTEMU_LINE) { ttemu_ema_tile(dst, line); }
} // namespace ckernel
using namespace ckernel;
