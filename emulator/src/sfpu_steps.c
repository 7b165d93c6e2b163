/*===- sfpu_steps.c - functions of the vector unit, instruction by instruction ---------------===
 *
 * The functions that kernels use most, in the steps of the SDK's library: the same splitting into
 * exponent and significand, the same constants, the same order of fused multiplications and
 * additions. DST of 16 bits takes shorter polynomials than DST of 32. What the library knows of
 * special values is here; what a step makes of the others is as the chip makes it.
 *
 *===----------------------------------------------------------------------===*/

#include "sfpu_steps.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static float of_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

static uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

static float without_denormal(float f) { return fabsf(f) < 0x1p-126f ? 0 : f; }

static int exponent_field(float f) { return (int)(bits_of(f) >> 23 & 255); }

/* With its hidden bit; denormals are zero. */
static uint32_t digits_of(float f) {
  return exponent_field(f) ? (bits_of(f) & 0x7fffffu) | 0x800000u : 0;
}

/* A significand, shifted to a larger exponent: its last bit is set where any that are lost were,
 * unless all are lost. */
static int64_t shifted(int64_t value, int by) {
  int64_t left = by < 32 ? value >> by : 0;
  return left | (left && left << by != value);
}

/* One instruction, rounded once, to even: but before the sum both sides have 26 bits below the
 * larger exponent's first. */
float emu_steps_mad(float a, float b, float c) {
  int x = exponent_field(a), y = exponent_field(b), z = exponent_field(c), e = x + y - 127;
  if (x == 255 || y == 255 || z == 255 || e >= 255) return a * b + c;
  uint64_t m = (uint64_t)digits_of(a) * digits_of(b);
  int64_t product = (int64_t)(m >> 20 | ((m & 0xfffff) != 0)), sum = (int64_t)digits_of(c) << 3;
  if (!product || e < 0) return without_denormal(c);
  int larger = e > z ? e : z;
  product = shifted(product, larger - e), sum = shifted(sum, larger - z);
  if (signbit(a) != signbit(b)) product = -product;
  sum = product + (signbit(c) ? -sum : sum);
  return without_denormal(ldexpf((float)sum, larger - 127 - 26));
}

#define mad emu_steps_mad

static float mul(float a, float b) { return mad(a, b, 0); }

/* c[0] + c[1] x + … */
static float polynomial(float x, const float *c, int n) {
  float sum = c[n - 1];
  for (int i = n - 2; i >= 0; --i) sum = mad(sum, x, c[i]);
  return sum;
}
#define POLYNOMIAL(x, ...)                                                                         \
  polynomial(x, (const float[]){__VA_ARGS__},                                                      \
             (int)(sizeof((const float[]){__VA_ARGS__}) / sizeof(float)))

static float with_exponent(float f, int field) {
  return of_bits((bits_of(f) & 0x807fffffu) | ((uint32_t)field & 255) << 23);
}

static float with_sign_of(float f, float sign) {
  return of_bits((bits_of(f) & 0x7fffffffu) | (bits_of(sign) & 0x80000000u));
}

/* Of two floats by their bits, as sign and magnitude: a NaN is larger than infinity. */
static bool is_less(float a, float b) {
  uint32_t x = bits_of(a), y = bits_of(b);
  int32_t i = x >> 31 ? -(int32_t)(x & 0x7fffffffu) : (int32_t)x;
  int32_t j = y >> 31 ? -(int32_t)(y & 0x7fffffffu) : (int32_t)y;
  return i < j;
}

/*===- Exponentials -----------------------------------------------------------------------===*/

/* Its bits as an integer: a parabola between powers of two. */
static float exp_short(float x) {
  float t = mad(x, 1.44269502f, 127);
  if (is_less(t, 0)) t = 0;
  if (is_less(255, t)) t = 255;
  uint32_t z = (uint32_t)(t * 0x1p23f), fraction = z & 0x7fffffu;
  float y = POLYNOMIAL((float)fraction, 1.0017248f, 7.839635491371155e-08f, 4.791750143340323e-15f);
  return with_exponent(y, (int)(z >> 23));
}

/* By what is left of the nearest multiple of log 2, in two parts. */
static float exp_long(float x) {
  float z = mul(x, 1.44269504f);
  if (isnan(z)) return signbit(z) ? 0 : INFINITY;
  if (z >= 128) return INFINITY;
  if (z <= -127) return 0;
  float k = rintf(z), r = mad(k, -3.19461832987e-05f, mad(k, -0.693115234375f, x));
  float p = POLYNOMIAL(r, 1, 1, 0.5f, 1.0f / 6, 1.0f / 24, 1.0f / 120, 1.0f / 720, 1.0f / 5040);
  return with_exponent(p, exponent_field(p) + (int)k);
}

float emu_steps_exp(float x, bool wide) { return wide ? exp_long(x) : exp_short(x); }

float emu_steps_exp2(float x, bool wide) { return emu_steps_exp(mul(x, 0.6931471805f), wide); }

/* Near zero a polynomial, since a difference has no digits there. */
float emu_steps_expm1(float x, bool wide) {
  if (wide && fabsf(x) < 0.5f)
    return POLYNOMIAL(x, 0, 1, 0.500000059604644775390625f, 0.16666667163372039794921875f,
                      4.16650883853435516357421875e-2f, 8.333188481628894805908203125e-3f,
                      1.400390756316483020782470703125e-3f, 1.99588379473425447940826416015625e-4f);
  if (!wide && fabsf(x) < 0.3984375f) return mul(x, POLYNOMIAL(x, 1, 0.5f, 0.166f));
  return mad(1, emu_steps_exp(x, wide), -1);
}

/*===- Roots and reciprocals --------------------------------------------------------------===*/

/* Wormhole: a parabola through the significand, and steps of Newton's method. */
static float recip_of_parabola(float x, int steps) {
  float m = of_bits(0xbf800000u | (bits_of(x) & 0x7fffffu)); /* -1.… */
  float y = mad(mad(0.3232325017452239990234375f, m, 1.4545459747314453125f), m,
                2.121212482452392578125f);
  float scale = mul(of_bits(~bits_of(x) & 0x7f800000u), 0.5f);
  for (int i = 0; i < steps; ++i) y = mad(y, mad(m, y, 1), y);
  return with_sign_of(mul(y, scale), x);
}

/* Blackhole's own instruction: eight bits, those of the middle of an interval. */
static float recip_instruction(float x) {
  uint32_t bits = bits_of(x), magnitude = bits & 0x7fffffffu, i = magnitude >> 16 & 127;
  uint32_t significand = (65536 + (257 + 2 * i) / 2) / (257 + 2 * i) - 128; /* rounded */
  uint32_t y = magnitude < 0x800000u     ? 0x7f800000u
               : magnitude >= 0x7e800000 ? 0
                                         : (253 - (magnitude >> 23)) << 23 | significand << 16;
  return of_bits((bits & 0x80000000u) | y);
}

static float recip_by_instruction(float x, int steps) {
  float y = recip_instruction(x);
  for (int i = 0; i < steps; ++i) {
    float t = mad(x, y, -2);
    if (!(t < 0)) break;
    y = mul(y, -t);
  }
  return y;
}

static float recip(float x, int steps, bool wormhole) {
  return wormhole ? recip_of_parabola(x, steps) : recip_by_instruction(x, steps);
}

/* On Blackhole DST of 16 bits has the nearest value, and DST of 32 a cubic. */
float emu_steps_recip(float x, bool wide, bool wormhole) {
  if (wormhole) return recip_of_parabola(x, wide ? 2 : 1);
  if (!wide) return without_denormal(1 / x);
  float y = recip_instruction(x), e = mad(-x, y, 1), t = mad(mad(e, e, e), e, e);
  return mad(is_less(t, 1) ? t : 1, y, y);
}

float emu_steps_divide(float x, float y, bool wormhole) {
  if (without_denormal(y) == 0) return without_denormal(x) == 0 ? NAN : with_sign_of(INFINITY, x);
  return x == y ? 1 : mul(x, recip(y, 2, wormhole));
}

float emu_steps_sqrt(float x, bool reciprocal) {
  if (signbit(x) || isnan(x)) return NAN; /* of -0, too */
  if (isinf(x)) return reciprocal ? 0 : x;
  if (reciprocal && without_denormal(x) == 0) return INFINITY;
  float y = of_bits(0x5f1110a0u - (bits_of(x) >> 1)), c = mul(-y, mul(x, y));
  y = mul(y, mad(c, mad(1, 2.2533049f, c), 2.2825186f));
  float xy = mul(x, y), rest = mad(-y, xy, 1);
  return reciprocal ? mad(rest, 0.5f * y, y) : mad(rest, mul(0.5f, xy), xy);
}

/*===- Logarithms -------------------------------------------------------------------------===*/

float emu_steps_log(float x, bool wide, bool wormhole) {
  if (isnan(x) || signbit(x)) return NAN; /* of -0, too */
  if (without_denormal(x) == 0) return -INFINITY;
  if (isinf(x)) return x;
  int exponent = exponent_field(x) - 127;
  float m = with_exponent(x, 127);
  if (!wide)
    return mad((float)exponent, 0.69314718f,
               POLYNOMIAL(m, -2.0069785118103027f, 3.767500400543213f, -2.800232410430908f,
                          1.3681391477584839f, -0.3706687390804291f, 0.04224011301994324f));
  if (m >= 1.4142135f) m *= 0.5f, ++exponent;
  float z = mul(m - 1, recip(m + 1, 2, wormhole));
  float p = POLYNOMIAL(mul(z, z), 1, 1.0f / 3, 0.2f, 1.0f / 7, 1.0f / 9, 1.0f / 11);
  return mad((float)exponent, 0.69314718f, 2 * mul(z, p));
}

/*===- Activations ------------------------------------------------------------------------===*/

float emu_steps_sigmoid(float x, bool wide, bool wormhole) {
  return recip(mad(1, 1, emu_steps_exp(-x, wide)), wide ? 2 : 1, wormhole);
}

float emu_steps_silu(float x, bool wide, bool wormhole) {
  return mul(x, emu_steps_sigmoid(x, wide, wormhole));
}

float emu_steps_tanh(float x, bool wide, bool wormhole) {
  float a = fabsf(x);
  if (!wide) {
    float y = POLYNOMIAL(a, 0, 0.999004364013671875f, 3.0897438526153564453125e-2f,
                         -0.4890659749507904052734375f, 0.281917631626129150390625f,
                         -6.6649019718170166015625e-2f, 5.876733921468257904052734375e-3f);
    return with_sign_of(is_less(y, 1) ? y : 1, x);
  }
  if (!(a < 0.6f)) return mad(2, emu_steps_sigmoid(mul(2, x), true, wormhole), -1);
  return mul(x, POLYNOMIAL(mul(x, x), 0.999999940395355224609375f, -0.33332359790802001953125f,
                           0.13310669362545013427734375f, -5.21197654306888580322265625e-2f,
                           1.5497927553951740264892578125e-2f));
}

/*===- Angles, and the error function -----------------------------------------------------===*/

/* x is a multiple of pi, j, and what is left of it, with pi in four parts; sin of the rest, whose
 * sign is that of j's parity. `scale` halves the parts, for odd multiples of half of pi. */
static float sine_of_rest(float x, float j, uint32_t parity, float scale, bool wide) {
  const float parts[] = {-0x1.92p+1f, -0x1.fbp-11f, -0x1.51p-21f, -0x1.0b4612p-33f};
  float a = x;
  for (int i = 0; i < 4; ++i) a = mad(j, parts[i] * scale, a);
  float s = mul(a, a);
  a = of_bits(bits_of(a) ^ parity << 31);
  float r = wide ? POLYNOMIAL(s, -0x1.55554cp-3f, 0x1.110edap-7f, -0x1.9f70fp-13f, 0x1.5dc908p-19f)
                 : POLYNOMIAL(s, -0x1.5554a4p-3f, 0x1.10c2a2p-7f, -0x1.8b10a4p-13f);
  return mad(r, mul(a, s), a);
}

static const float to_integer = 12582912; /* what has been added to has no fraction */

float emu_steps_sin(float x, bool wide) {
  float j = mad(x, 0.31830987f, to_integer);
  return sine_of_rest(x, mad(1, j, -to_integer), bits_of(j), 1, wide);
}

float emu_steps_cos(float x, bool wide) {
  float j = mad(1, mad(x, 0.31830987f, 0.5f), to_integer);
  return sine_of_rest(x, mad(mad(1, j, -to_integer), 2, -1), bits_of(j), 0.5f, wide);
}

float emu_steps_erf(float x) {
  float a = fabsf(x), y = 1;
  if (a < 1)
    y = POLYNOMIAL(a, 0.0000661338118f, 1.12544048f, 0.0275416549f, -0.476685015f, 0.166342190f);
  else if (a < 3)
    y = POLYNOMIAL(a, -0.19469693f, 1.91684792f, -1.1603072f, 0.31310241f, -0.03170029f);
  return signbit(x) ? -y : y;
}

float emu_steps_gelu(float x) {
  if (bits_of(x) == 0) return 0;
  if (!(x < 3)) return x;
  if (x < -5.5f) return 0;
  float y = POLYNOMIAL(x, 2.98325768482e-05f, 0.499174645395f, 0.398579460781f, 0.00244542739174f,
                       -0.0656369476513f, -0.00208478037614f, 0.0092074331601f, 0.000768340223025f,
                       -0.000862052441087f, -0.000138391838381f, 4.25116466215e-05f,
                       1.19076782913e-05f, -2.29754133825e-07f, -3.74540617693e-07f,
                       -4.59055119276e-08f, -1.81205228163e-09f);
  return with_sign_of(y, x);
}

float emu_steps_elu(float x, float slope) { /* of 16 bits in either width */
  return signbit(x) ? mul(slope, mad(1, exp_short(x), -1)) : x;
}
