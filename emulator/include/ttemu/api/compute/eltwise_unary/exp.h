// SFPU: exp, of the value times a scale, which is in bf16.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
enum class InputClamping : uint8_t { ClampToNegative = 1, None = 0 };
} // namespace ckernel
namespace ttemu {
// The fast form has its scale from its init.
inline uint32_t scale_of_fast_exp = 0x3F800000;
template <bool tApprox, bool tFast> inline void init_exp(uint32_t scale, uint32_t line) {
  if constexpr (tApprox && tFast) scale_of_fast_exp = scale;
  ttemu_sfpu_init(TTEMU_EXP, line);
}
template <bool tApprox, bool tFast, bool tScaled, ckernel::InputClamping tClamp, int tIterations>
ttemu_sfpu_call exp_of(uint32_t dst, mode_type mode, uint16_t scale) {
  constexpr bool fast = tApprox && tFast,
                 clamps = tClamp == ckernel::InputClamping::ClampToNegative;
  static_assert(tIterations > 0 && tIterations <= 32, "exp_tile: 1 to 32 iterations");
  const ttemu_sfpu op = fast      ? clamps ? TTEMU_EXP_FAST : TTEMU_EXP_FAST_SIGNED
                        : tApprox ? TTEMU_EXP_APPROX
                                  : TTEMU_EXP;
  const uint32_t factor = fast ? scale_of_fast_exp : tScaled ? uint32_t{scale} << 16 : 0x3F800000;
  // The fast form that raises small inputs takes a face at a time, whatever the iterations.
  constexpr int vectors = fast && clamps ? 8 : tIterations;
  return {op, 1, {dst}, dst, {factor}, static_cast<int>(mode), false, vectors};
}
} // namespace ttemu
namespace ckernel {
template <bool tApprox = false, bool tFast = true, uint32_t tScale = 0x3F800000,
          InputClamping tClamp = InputClamping::ClampToNegative>
inline void exp_tile_init(TTEMU_LINE) {
  ttemu::init_exp<tApprox, tFast>(tScale, line);
}
template <bool tApprox = false, bool tFast = true, bool tScaled = false, bool tSkipPositive = false,
          InputClamping tClamp = InputClamping::ClampToNegative, int tIterations = 8>
inline void exp_tile(uint32_t dst, ttemu::mode_type mode = ttemu::RC, uint16_t scale = 0x3F80,
                     TTEMU_LINE) {
  ttemu_sfpu_run(ttemu::exp_of<tApprox, tFast, tScaled, tClamp, tIterations>(dst, mode, scale),
                 line);
}
#if TTEMU_API >= 202608
// Approximate forms are fast: they are not told so any more.
template <bool tApprox, uint32_t tScale, InputClamping tClamp, bool... tWide>
inline void exp_tile_init(TTEMU_LINE) {
  ttemu::init_exp<tApprox, true>(tScale, line);
}
template <bool tApprox, bool tScaled, InputClamping tClamp, int tIterations = 8, bool... tWide>
inline void exp_tile(uint32_t dst, ttemu::mode_type mode = ttemu::RC, uint16_t scale = 0x3F80,
                     TTEMU_LINE) {
  ttemu_sfpu_run(ttemu::exp_of<tApprox, true, tScaled, tClamp, tIterations>(dst, mode, scale),
                 line);
}
#endif

// From the packer's processor.
template <bool tApprox = false, bool tFast = true, uint32_t tScale = 0x3F800000,
          InputClamping tClamp = InputClamping::ClampToNegative>
inline void exp_packthread_tile_init(TTEMU_LINE) {
  PACK((ttemu::init_exp<tApprox, tFast>(tScale, line)));
}
template <bool tApprox = false, bool tFast = true, bool tScaled = false, bool tSkipPositive = false,
          InputClamping tClamp = InputClamping::ClampToNegative, int tIterations = 8>
inline void exp_packthread_tile(uint32_t dst, ttemu::mode_type mode = ttemu::RC,
                                uint16_t scale = 0x3F80, TTEMU_LINE) {
  ttemu_sfpu_call call =
      ttemu::exp_of<tApprox, tFast, tScaled, tClamp, tIterations>(dst, mode, scale);
  call.by_pack = true;
  ttemu_sfpu_run(call, line);
}
} // namespace ckernel
using namespace ckernel;
