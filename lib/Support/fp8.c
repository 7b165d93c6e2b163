/*===- fp8.c - numbers of eight bits -----------------------------------------------------------===
 *
 *   e4m3: s eeee mmm, up to 448, no infinities      e5m2: s eeeee mm, as the upper half of an f16
 *
 *===----------------------------------------------------------------------===*/

#include "Support/fp8.h"

#include <math.h>
#include <string.h>

typedef struct Fp8 {
  int exponent_bits, mantissa_bits, last, beyond; /* the greatest number; what greater ones are */
} Fp8;

static Fp8 fp8(bool e5m2) { return e5m2 ? (Fp8){5, 2, 0x7b, 0x7c} : (Fp8){4, 3, 0x7e, 0x7f}; }

void tt_to_fp8(bool e5m2, const float *in, int64_t n, uint8_t *out) {
  Fp8 f = fp8(e5m2);
  int least = 2 - (1 << (f.exponent_bits - 1)); /* exponent of the least normal number */
  for (int64_t i = 0; i < n; ++i) {
    float size = fabsf(in[i]);
    int exponent = size > 0 && isfinite(size) ? ilogbf(size) : least;
    if (exponent < least) exponent = least;
    long code = isnan(size)   ? 0x7f
                : isinf(size) ? f.beyond
                              : ((long)(exponent - least) << f.mantissa_bits) +
                                    lrintf(ldexpf(size, f.mantissa_bits - exponent));
    if (code > f.last && !isnan(size)) code = f.beyond;
    out[i] = (uint8_t)((signbit(in[i]) ? 0x80 : 0) | code);
  }
}

void tt_from_fp8(bool e5m2, const uint8_t *in, int64_t n, float *out) {
  Fp8 f = fp8(e5m2);
  int most = (1 << f.exponent_bits) - 1, one = 1 << f.mantissa_bits;
  for (int64_t i = 0; i < n; ++i) {
    int exponent = in[i] >> f.mantissa_bits & most, mantissa = in[i] & (one - 1);
    float size = ldexpf((float)(mantissa + (exponent ? one : 0)),
                        (exponent ? exponent : 1) - most / 2 - f.mantissa_bits);
    if ((in[i] & 0x7f) > f.last) size = e5m2 && !mantissa ? INFINITY : NAN;
    out[i] = in[i] & 0x80 ? -size : size;
  }
}

void tt_fp8_bits16(bool e5m2, bool half, const uint8_t *in, int64_t n, uint16_t *out) {
  for (int64_t i = 0; i < n; ++i) {
    float number;
    uint32_t bits;
    tt_from_fp8(e5m2, &in[i], 1, &number);
    _Float16 narrow = (_Float16)number;
    memcpy(&bits, &number, sizeof bits);
    out[i] = (uint16_t)(bits >> 16);
    if (half) memcpy(&out[i], &narrow, sizeof narrow);
  }
}
