/*===- block_float.c - what numbers become when they share exponents ---------------------------===
 *
 * In bfp8_b and bfp4_b sixteen elements of a row share the largest exponent among them, and
 * each keeps a sign and 7 or 3 bits below it, to nearest, ties away from zero.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/run.h"

#include <math.h>

enum { SHARING = 16, LEAST_EXPONENT = -126 };

static void round_block(float *x, int64_t n, int bits) {
  int exponent = LEAST_EXPONENT;
  long most = (1L << (bits - 1)) - 1;
  for (int64_t i = 0; i < n; ++i)
    if (x[i] != 0 && isfinite(x[i]) && ilogbf(x[i]) > exponent) exponent = ilogbf(x[i]);
  for (int64_t i = 0; i < n; ++i) {
    double scaled = ldexp(fabs((double)x[i]), bits - 2 - exponent);
    long m = scaled > (double)most ? most : lround(scaled);
    if (m > most) m = most;
    x[i] = (float)copysign(ldexp((double)m, exponent - (bits - 2)), (double)x[i]);
  }
}

void tt_round_to_blocks(float *values, int64_t n, int64_t cols, int bits) {
  for (int64_t row = 0; row < n; row += cols)
    for (int64_t c = 0; c < cols; c += SHARING)
      round_block(values + row + c, cols - c < SHARING ? cols - c : SHARING, bits);
}
