// SFPU: rounding.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(rounding_op_tile_init, TTEMU_FLOOR)
TTEMU_SFPU_ONE(floor_tile, TTEMU_FLOOR)
TTEMU_SFPU_ONE(ceil_tile, TTEMU_CEIL)
TTEMU_SFPU_ONE(trunc_tile, TTEMU_TRUNC)
TTEMU_SFPU_ONE(frac_tile, TTEMU_FRAC)
inline void round_tile(uint32_t dst, std::int32_t decimals, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_ROUND, 1, {dst}, dst, {static_cast<uint32_t>(decimals)}, TTEMU_VECTOR_RC},
                 line);
}
// Of fp32 to bf16, up with the chance of what is lost; random numbers as in rand.h.
inline void stochastic_round_tile(uint32_t dst, TTEMU_LINE) {
  ttemu_stochastic_round_tile(dst, line);
}
} // namespace ckernel
using namespace ckernel;
