// SFPU: a value in every lane.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(fill_tile_init, TTEMU_FILL)
inline void fill_tile(uint32_t dst, float value, TTEMU_LINE) {
  ttemu_sfpu_run(
      {TTEMU_FILL, 1, {dst}, dst, {__builtin_bit_cast(uint32_t, value)}, TTEMU_VECTOR_RC}, line);
}
#if TTEMU_API >= 202603
template <DataFormat tFormat = DataFormat::Int32>
#endif
inline void fill_tile_int(uint32_t dst, uint32_t value, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_FILL_INT, 1, {dst}, dst, {value}, TTEMU_VECTOR_RC}, line);
}
inline void fill_tile_bitcast(uint32_t dst, uint32_t bits, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_FILL, 1, {dst}, dst, {bits}, TTEMU_VECTOR_RC}, line);
}
} // namespace ckernel
using namespace ckernel;
