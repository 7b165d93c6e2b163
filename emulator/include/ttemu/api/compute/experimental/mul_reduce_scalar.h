// The sum of all products of two rows of tiles, which Blackhole has alone.
#pragma once
#include "ttemu/api/compute/eltwise_binary.h"
#include "ttemu/api/compute/reduce_types.h"

#include <bit>

namespace ckernel {
#ifdef ARCH_BLACKHOLE
inline void mul_reduce_scalar_init(uint32_t a, uint32_t b, TTEMU_LINE) {
  mul_tiles_init(a, b, line);
}
template <PoolType tPool = PoolType::SUM>
inline void mul_reduce_scalar_tile(uint32_t a, uint32_t b, uint32_t tiles, float scaler = 1.0f,
                                   TTEMU_LINE) {
  for (uint32_t i = 0; i < tiles; ++i) mul_tiles(a, b, i, i, i, {line});
  ttemu_reduce_products(tiles, std::bit_cast<uint32_t>(scaler), line);
}
inline void mul_reduce_scalar_uninit(TTEMU_LINE) { ttemu_reduce_uninit(line); }
#else
TTEMU_NOT_EMULATED(mul_reduce_scalar_init, "only Blackhole has it")
TTEMU_NOT_EMULATED(mul_reduce_scalar_tile, "only Blackhole has it")
TTEMU_NOT_EMULATED(mul_reduce_scalar_uninit, "only Blackhole has it")
#endif
} // namespace ckernel
using namespace ckernel;
