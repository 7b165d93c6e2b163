/*===- sfpu.c - functions of the vector unit -------------------------------------------------===
 *
 * Lanes compute in fp32. A store to 16-bit DST truncates, unless the function
 * rounds by itself (exp, recip, sqrt: to nearest even).
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <math.h>
#include <string.h>

static float apply(ttemu_sfpu op, float x) {
  switch (op) {
  case TTEMU_EXP: return expf(x);
  case TTEMU_RECIP: return 1.0f / x;
  case TTEMU_SQRT: return sqrtf(x);
  case TTEMU_TANH: return tanhf(x);
  case TTEMU_SIGMOID: return 1.0f / (1.0f + expf(-x));
  case TTEMU_RELU: return x > 0 ? x : 0;
  case TTEMU_ABS: return fabsf(x);
  case TTEMU_NUM_SFPU: break;
  }
  return x;
}

void emu_sfpu(ttemu_sfpu op, DstMode mode, uint32_t *dst) {
  bool rounds = op == TTEMU_EXP || op == TTEMU_RECIP || op == TTEMU_SQRT;
  for (int i = 0; i < TILE; ++i) {
    float x, y;
    uint32_t bits;
    memcpy(&x, &dst[i], 4);
    y = apply(op, x);
    memcpy(&bits, &y, 4);
    bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    if (!mode.wide && !mode.half) {
      if (rounds && finite) bits += 0x7fffu + (bits >> 16 & 1);
      bits &= 0xffff0000u;
    }
    dst[i] = bits;
  }
}
