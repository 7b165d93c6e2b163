// SFPU: a tile where its mask is not zero.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(mask_tile_init, TTEMU_MASK)
inline void mask_tile(uint32_t data, uint32_t mask, DataFormat = DataFormat::Float16_b,
                      TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_MASK, 2, {data, mask}, data, {}, TTEMU_VECTOR_RC}, line);
}
inline void mask_posinf_tile(uint32_t data, uint32_t mask, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_MASK_POSINF, 2, {data, mask}, data, {}, TTEMU_VECTOR_RC}, line);
}
} // namespace ckernel
using namespace ckernel;
