// Functions of the vector unit that kernels call amid their own, on a vector: what the ops of the
// API compute on a tile.
#pragma once

#include "ttemu/sfpi/functions.h"
#include "ttemu/sfpi/registers.h"

namespace ttemu {
inline sfpi::vFloat lanes_of(ttemu_sfpu op, const sfpi::vFloat &v, uint32_t p = 0, uint32_t q = 0,
                             uint32_t r = 0) {
  const uint32_t scalars[] = {p, q, r};
  sfpi::vFloat out;
  ttemu_sfpu_lanes(op, v.bits, scalars, out.bits);
  return out;
}
} // namespace ttemu
namespace ckernel::sfpu {
struct Converter {
  static float as_float(uint32_t bits) { return __builtin_bit_cast(float, bits); }
};
// The steps of Newton's method: one is enough for bf16, two for fp32.
template <int tSteps = 2> inline sfpi::vFloat _sfpu_reciprocal_(const sfpi::vFloat &v) {
  static_assert(tSteps > 0, "_sfpu_reciprocal_: the first guess alone is not emulated");
  return ttemu::lanes_of(TTEMU_RECIP, v);
}
template <int tSteps = 3> inline sfpi::vFloat _reciprocal_compat_(const sfpi::vFloat &v) {
  static_assert(tSteps == 3, "_reciprocal_compat_: fewer than three steps are not emulated");
  return ttemu::lanes_of(TTEMU_RECIP_LEGACY, v);
}
// Of the value times a scale, which is in bf16.
template <bool tApprox, bool tScaled, bool tSkipPositive = false>
inline sfpi::vFloat _calculate_exponential_piecewise_(const sfpi::vFloat &v, uint16_t scale) {
  return ttemu::lanes_of(tApprox ? TTEMU_EXP_APPROX : TTEMU_EXP, v,
                         tScaled ? uint32_t{scale} << 16 : 0x3f800000u);
}
// Of dst_reg[0].
template <bool tApprox>
inline void calculate_softplus_body(float beta, float reciprocal, float threshold) {
  const auto bits = [](float x) { return __builtin_bit_cast(uint32_t, x); };
  sfpi::dst_reg[0] = ttemu::lanes_of(TTEMU_SOFTPLUS, sfpi::dst_reg[0], bits(beta), bits(reciprocal),
                                     bits(threshold));
}
} // namespace ckernel::sfpu
