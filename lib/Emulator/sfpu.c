/*===- sfpu.c - functions of the vector unit -------------------------------------------------===
 *
 * Lanes compute in fp32. A store to 16-bit DST truncates, unless the function rounds
 * by itself, to nearest even.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <math.h>
#include <string.h>

typedef float (*Function)(float x, float y);

#define ONE(name, expression) static float name(float x, float y) { return (void)y, expression; }
#define TWO(name, expression) static float name(float x, float y) { return expression; }

ONE(f_exp, expf(x))
ONE(f_exp2, expf(x * 0.69314718f))
ONE(f_expm1, expm1f(x))
ONE(f_log, logf(x))
ONE(f_recip, 1 / x)
ONE(f_sqrt, sqrtf(x))
ONE(f_rsqrt, 1 / sqrtf(x))
ONE(f_square, x * x)
ONE(f_tanh, tanhf(x))
ONE(f_sigmoid, 1 / (1 + expf(-x)))
ONE(f_silu, x / (1 + expf(-x)))
ONE(f_sin, sinf(x))
ONE(f_cos, cosf(x))
ONE(f_floor, floorf(x))
ONE(f_ceil, ceilf(x))
ONE(f_relu, x > 0 ? x : 0)
ONE(f_abs, fabsf(x))
ONE(f_negative, -x)
ONE(f_sign, x > 0 ? 1 : signbit(x) ? -1 : 0) /* of -0, too */
ONE(f_gtz, x > 0)
ONE(f_ltz, signbit(x)) /* the sign bit decides: -0 is less than zero */
ONE(f_gez, !signbit(x))
ONE(f_lez, !(x > 0))
ONE(f_eqz, x == 0 && !signbit(x))
ONE(f_nez, x != 0 || signbit(x))
TWO(f_relu_max, x > y ? y : x > 0 ? x : 0)
TWO(f_relu_min, x > y ? x : 0)
TWO(f_leaky_relu, x > 0 ? x : x * y)
TWO(f_add, x + y)
TWO(f_sub, x - y)
TWO(f_mul, x * y)
TWO(f_rsub, y - x)
TWO(f_max, x > y ? x : y)
TWO(f_min, x < y ? x : y)

/* By the reciprocal, which is zero where it would be denormal. */
static float f_div(float x, float y) {
  float r = 1 / y;
  return x * (fabsf(r) < 0x1p-126f ? 0 : r);
}

static const struct {
  Function f;
  bool rounds;
} functions[TTEMU_NUM_SFPU] = {
    [TTEMU_EXP] = {f_exp, true},           [TTEMU_EXP2] = {f_exp2, true},
    [TTEMU_EXPM1] = {f_expm1, true},       [TTEMU_LOG] = {f_log, false},
    [TTEMU_RECIP] = {f_recip, true},       [TTEMU_SQRT] = {f_sqrt, true},
    [TTEMU_RSQRT] = {f_rsqrt, true},       [TTEMU_SQUARE] = {f_square, false},
    [TTEMU_TANH] = {f_tanh, true},         [TTEMU_SIGMOID] = {f_sigmoid, true},
    [TTEMU_SILU] = {f_silu, true},
    [TTEMU_SIN] = {f_sin, false},          [TTEMU_COS] = {f_cos, false},
    [TTEMU_FLOOR] = {f_floor, false},      [TTEMU_CEIL] = {f_ceil, false},
    [TTEMU_RELU] = {f_relu, false},        [TTEMU_ABS] = {f_abs, false},
    [TTEMU_NEGATIVE] = {f_negative, false}, [TTEMU_SIGN] = {f_sign, false},
    [TTEMU_GTZ] = {f_gtz, false},          [TTEMU_LTZ] = {f_ltz, false},
    [TTEMU_GEZ] = {f_gez, false},          [TTEMU_LEZ] = {f_lez, false},
    [TTEMU_EQZ] = {f_eqz, false},          [TTEMU_NEZ] = {f_nez, false},
    [TTEMU_RELU_MAX] = {f_relu_max, false}, [TTEMU_RELU_MIN] = {f_relu_min, false},
    [TTEMU_LEAKY_RELU] = {f_leaky_relu, false},
    [TTEMU_ADD_SCALAR] = {f_add, false},   [TTEMU_SUB_SCALAR] = {f_sub, false},
    [TTEMU_MUL_SCALAR] = {f_mul, false},
    [TTEMU_RSUB_SCALAR] = {f_rsub, false}, [TTEMU_ADD_DST] = {f_add, false},
    [TTEMU_SUB_DST] = {f_sub, false},      [TTEMU_MUL_DST] = {f_mul, true},
    [TTEMU_DIV_DST] = {f_div, true},       [TTEMU_MAX_DST] = {f_max, false},
    [TTEMU_MIN_DST] = {f_min, false},
};

static float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

static uint32_t stored(float value, bool rounds, DstMode mode) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if (mode.wide || mode.half) return bits;
  bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  if (rounds && finite) bits += 0x7fffu + (bits >> 16 & 1);
  return bits & 0xffff0000u;
}

void emu_sfpu(ttemu_sfpu op, DstMode mode, uint32_t scalar, uint32_t *dst) {
  float y = float_of(scalar);
  for (int i = 0; i < TILE; ++i)
    dst[i] = stored(functions[op].f(float_of(dst[i]), y), functions[op].rounds, mode);
}

void emu_sfpu_two(ttemu_sfpu op, DstMode mode, const uint32_t *a, const uint32_t *b,
                  uint32_t *out) {
  for (int i = 0; i < TILE; ++i)
    out[i] = stored(functions[op].f(float_of(a[i]), float_of(b[i])), functions[op].rounds, mode);
}
