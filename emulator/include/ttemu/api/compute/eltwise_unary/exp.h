// SFPU: exp, of the value times a scale, which is in bf16.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
enum class InputClamping : uint8_t { ClampToNegative = 1, None = 0 };

template <bool tApprox = false, bool tFast = true, uint32_t tScale = 0x3F800000,
          InputClamping tClamp = InputClamping::ClampToNegative>
inline void exp_tile_init(TTEMU_LINE) {
  ttemu_sfpu_init(TTEMU_EXP, line);
}
template <bool tApprox = false, bool tFast = true, bool tScaled = false, bool tSkipPositive = false,
          InputClamping tClamp = InputClamping::ClampToNegative, int tIterations = 8>
inline void exp_tile(uint32_t dst, ttemu::mode_type mode = ttemu::RC, uint16_t scale = 0x3F80,
                     TTEMU_LINE) {
  const uint32_t factor = tScaled ? uint32_t{scale} << 16 : 0x3F800000;
  ttemu_sfpu_run(
      {tApprox ? TTEMU_EXP_APPROX : TTEMU_EXP, 1, {dst}, dst, {factor}, static_cast<int>(mode)},
      line);
}

// From the packer's processor.
template <bool tApprox = false, bool tFast = true, uint32_t tScale = 0x3F800000,
          InputClamping tClamp = InputClamping::ClampToNegative>
inline void exp_packthread_tile_init(TTEMU_LINE) {
  ttemu_sfpu_init(TTEMU_EXP, line);
}
template <bool tApprox = false, bool tFast = true, bool tScaled = false, bool tSkipPositive = false,
          InputClamping tClamp = InputClamping::ClampToNegative, int tIterations = 8>
inline void exp_packthread_tile(uint32_t dst, ttemu::mode_type mode = ttemu::RC,
                                uint16_t scale = 0x3F80, TTEMU_LINE) {
  const uint32_t factor = tScaled ? uint32_t{scale} << 16 : 0x3F800000;
  ttemu_sfpu_run(
      ttemu::by_pack(tApprox ? TTEMU_EXP_APPROX : TTEMU_EXP, dst, factor, static_cast<int>(mode)),
      line);
}
} // namespace ckernel
using namespace ckernel;
