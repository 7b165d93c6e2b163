// SFPU: to and from 8-bit integers; the init keeps the zero point.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ttemu {
inline uint32_t zero_point = 0;
inline void quantize(ttemu_sfpu op, uint32_t a, uint32_t b, uint32_t out, uint32_t line) {
  ttemu_sfpu_run({op, 2, {a, b}, out, {zero_point}, TTEMU_VECTOR_RC}, line);
}
} // namespace ttemu
namespace ckernel {

inline void quant_tile_init(uint32_t zero_point, TTEMU_LINE) {
  ttemu::zero_point = zero_point;
  ttemu_sfpu_init(TTEMU_QUANT, line);
}
inline void quant_tile(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {
  ttemu::quantize(TTEMU_QUANT, a, b, out, line);
}
inline void requant_tile_init(uint32_t zero_point, TTEMU_LINE) {
  ttemu::zero_point = zero_point;
  ttemu_sfpu_init(TTEMU_REQUANT, line);
}
inline void requant_tile(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {
  ttemu::quantize(TTEMU_REQUANT, a, b, out, line);
}
inline void dequant_tile_init(uint32_t zero_point, TTEMU_LINE) {
  ttemu::zero_point = zero_point;
  ttemu_sfpu_init(TTEMU_DEQUANT, line);
}
inline void dequant_tile(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {
  ttemu::quantize(TTEMU_DEQUANT, a, b, out, line);
}
} // namespace ckernel
using namespace ckernel;
