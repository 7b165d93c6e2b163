// SFPU: one where the value is zero.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(logical_not_tile_init, TTEMU_LOGICAL_NOT)
template <DataFormat tFormat = DataFormat::Float16_b>
inline void logical_not_tile(uint32_t dst, TTEMU_LINE) {
  constexpr ttemu_sfpu op = ttemu::is_integer(tFormat) ? TTEMU_LOGICAL_NOT_INT : TTEMU_LOGICAL_NOT;
  ttemu_sfpu_run({op, 1, {dst}, dst, {}, TTEMU_VECTOR_RC}, line);
}
} // namespace ckernel
using namespace ckernel;
