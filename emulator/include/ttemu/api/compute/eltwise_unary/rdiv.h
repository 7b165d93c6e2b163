// SFPU: a scalar over the value.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(rdiv_tile_init, TTEMU_RDIV)
enum class RoundingMode { None, Trunc, Floor };
template <RoundingMode tRounding = RoundingMode::None>
inline void rdiv_tile(uint32_t dst, uint32_t value, ttemu::mode_type mode = ttemu::RC, TTEMU_LINE) {
  constexpr ttemu_sfpu op = tRounding == RoundingMode::None    ? TTEMU_RDIV
                            : tRounding == RoundingMode::Trunc ? TTEMU_RDIV_TRUNC
                                                               : TTEMU_RDIV_FLOOR;
  ttemu_sfpu_run({op, 1, {dst}, dst, {value}, static_cast<int>(mode)}, line);
}
} // namespace ckernel
using namespace ckernel;
