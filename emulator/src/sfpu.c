/*===- sfpu.c - functions of the vector unit -------------------------------------------------===
 *
 * Lanes compute in fp32. A store to 16-bit DST truncates, unless the function rounds
 * by itself, to nearest even. The functions stand in ttemu/sfpu.def; here are those
 * that take more than an expression: what the chip approximates is approximated the
 * same way, with its tables and polynomials.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"
#include "sfpu_steps.h"

#include <math.h>
#include <string.h>

/* As the unit that multiplies and adds writes its results: no denormals, no negative zero. */
static float f_written(float x) { return fabsf(x) < 0x1p-126f ? 0 : x; }
static float f_clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

/* c[0] + c[1] x + … */
static float polynomial(float x, const float *c, int n) {
  float sum = c[n - 1];
  for (int i = n - 2; i >= 0; --i) sum = fmaf(sum, x, c[i]);
  return sum;
}

/*===- Exponentials -----------------------------------------------------------------------===*/

/* Between powers of two a straight line: at most 6.2% too large. */
static float f_exp_linear(float x) {
  if (x < -42) return 0;
  if (x >= 89) return INFINITY;
  float t = x * 1.44269504f, whole = floorf(t);
  return ldexpf(1 + (t - whole), (int)whole);
}

/* e^(x * scale) as the bits of a float, whose upper ones are linear in its logarithm: 16 of them,
 * rounded. Where small inputs are not raised, what is below all floats keeps its sign, and results
 * end before 2. */
static float f_exp_fast(float x, float scale, bool raises) {
  const float slope = 0x1.715476p+8f * scale, at_zero = 0x1.fbd346p+14f, least = -88.5f / scale;
  if (raises && !(x > least)) x = least;
  double i = (double)(float)((double)slope * x + at_zero), most = raises ? 65535 : 32767;
  double magnitude = floor(fabs(i) + 0.5);
  if (raises && i < 0) magnitude = 0;
  uint32_t whole = magnitude < most ? (uint32_t)magnitude : (uint32_t)most;
  uint32_t bits = whole << 15 | (!raises && i < 0 && whole ? 0x80000000u : 0);
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/* 2^t: a parabola between powers of two, with equal errors of 1.7e-3. */
static float f_exp2_minimax(float t) {
  t += 127;
  if (!(t > 0)) return 0;
  float whole = floorf(t), z = (t - whole) * 0x1p23f;
  return ldexpf(1 + 4.0196114e-8f * (z + 16338663) * (z + 22030) * 0x1p-23f, (int)whole - 127);
}

static float f_exp_minimax(float x) { return f_exp2_minimax(x * 1.44269504f); }

static float f_power_by_squaring(float x, uint32_t n) {
  float result = 1;
  for (; n; n >>= 1, x *= x)
    if (n & 1) result *= x;
  return result;
}

/* exp2(y log2 x), where 16-bit DST takes shorter polynomials for both. */
static float f_power(float x, float y, bool wide) {
  static const float log_of[] = {-1.5826655626f, 2.3098683357f, -0.8689142466f, 0.141711473465f};
  int e;
  bool odd = x < 0 && y == truncf(y) && fmodf(y, 2) != 0;
  if (x < 0 && y != truncf(y)) return NAN;
  if (x == 0 || !isfinite(x) || !isfinite(y)) return powf(x, y);
  float m = 2 * frexpf(fabsf(x), &e),
        log2 = (float)(e - 1) + polynomial(m, log_of, 4) * 1.44269504f;
  float magnitude = wide ? exp2f(y * log2f(fabsf(x))) : f_exp2_minimax(y * log2);
  return odd ? -magnitude : magnitude;
}

static float f_xlogy(float x, float y) {
  return isnan(y) || y < 0 ? NAN : x == 0 ? 0 : x * logf(y);
}

/*===- Roots and reciprocals --------------------------------------------------------------===*/

/* Newton's method, three steps from a constant: 1.5e-3 below a power of two. */
static float f_recip_legacy(float x) {
  int e;
  float m = frexpf(fabsf(x), &e), r = 1.44269504f;
  if (x == 0 || !isfinite(x)) return 1 / x;
  for (int i = 0; i < 3; ++i) r *= 2 - m * r;
  return copysignf(ldexpf(r, -e), x);
}

/* From a guess by the exponent, one step of Newton's method, balanced: 8.8e-4. */
static float f_sqrt_approx(float x) {
  if (!(x > 0) || isinf(x)) return x < 0 ? NAN : x;
  float y = bits_float(0x5f0b3892u - (float_bits(x) >> 1)), xy = x * y;
  return emu_steps_mad(xy, emu_steps_mad(-y, xy, 1.89099014875f), 0);
}

static float f_remainder(float x, float y) {
  float r = fmodf(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

/*===- Activations ------------------------------------------------------------------------===*/

static float f_tanh_lut(float x) {
  float a = fabsf(x);
  return copysignf(a < 1 ? 0.90625f * a : a < 2 ? emu_steps_mad(0.09375f, a, 0.8125f) : 1, x);
}

static float f_sigmoid_lut(float x) {
  float a = fabsf(x), y = a < 1   ? 0.2265625f * a
                          : a < 2 ? emu_steps_mad(0.265625f, a, -0.046875f)
                                  : 0.5f;
  return 0.5f + copysignf(y, x);
}

static float f_logsigmoid(float x) { return x < 0 ? x - log1pf(expf(x)) : -log1pf(expf(-x)); }

static float f_gelu_lut(float x) {
  static const float slope[] = {0.192749023f, 0.493896484f, 0.618652344f, 0.609863281f,
                                0.540039062f},
                     start[] = {-0.000104427338f, -0.160400391f, -0.279541016f, -0.263427734f,
                                -0.119384766f};
  float a = fabsf(x);
  int piece = a < 2 ? (int)(2 * a) : 4;
  float line = a < 3 ? emu_steps_mad(slope[piece], a, start[piece]) : 0.5f * a;
  return emu_steps_mad(0.5f, x, line);
}

static float f_gelu_tanh(float x) {
  return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

static float f_gelu_derivative(float x) {
  return 0.5f * (1 + erff(x * 0.70710678f)) + x * 0.39894228f * expf(-0.5f * x * x);
}

static float f_softplus(float x, float beta, float beta_reciprocal, float threshold) {
  static const float c[] = {0.692435443f,    0.492757059f,    0.121423689f,
                            0.00311001692f,  -0.00330832928f, -0.000288073164f,
                            5.31482327e-05f, 7.18000877e-06f, 7.46533849e-08f};
  float t = x * beta;
  if (t > threshold || t >= 4) return x;
  return beta_reciprocal * (t < -5 ? log1pf(expf(t)) : polynomial(t, c, 9));
}

static float f_xielu(float x, float alpha_p, float alpha_n) {
  const float beta = 0.5f, eps = -1e-6f;
  if (x > 0) return alpha_p * x * x + beta * x;
  return (expm1f(x < eps ? x : eps) - x) * alpha_n + beta * x;
}

/* Giles' approximation: 4e-6 or better. */
static float f_erfinv(float x) {
  static const float centre[] = {1.50140941f,     0.246640727f,    -0.00417768164f,
                                 -0.00125372503f, 0.000218580870f, -4.39150654e-06f,
                                 -3.5233877e-06f, 3.43273939e-07f, 2.81022636e-08f},
                     tail[] = {2.83297682f,    1.00167406f,     0.00943887047f,
                               -0.0076224613f, 0.00573950773f,  -0.00367342844f,
                               0.00134934322f, 0.000100950558f, -0.000200214257f};
  if (fabsf(x) >= 1) return fabsf(x) > 1 ? NAN : copysignf(INFINITY, x);
  float w = -logf((1 - x) * (1 + x));
  return x * (w < 5 ? polynomial(w - 2.5f, centre, 9) : polynomial(sqrtf(w) - 3, tail, 9));
}

/* Power series; their terms (x/2)^2k / (k!)^2 fall fast. */
static float bessel(float x, int order) {
  double half = 0.5 * (double)x, term = order ? half : 1, sum = term;
  for (int k = 1; k < 200 && fabs(term) > 1e-12 * fabs(sum); ++k) {
    term *= half * half / ((double)k * (double)(k + order));
    sum += term;
  }
  return (float)sum;
}
static float f_bessel_i0(float x) { return bessel(x, 0); }
static float f_bessel_i1(float x) { return bessel(x, 1); }

/* To a number of decimals, half to even. */
static float f_round(float x, int decimals) {
  double scale = pow(10, decimals);
  return (float)(rint((double)x * scale) / scale);
}

/*===- Integers -----------------------------------------------------------------------------===*/

static uint32_t i_shift_right(uint32_t x, uint32_t n) {
  int32_t s = (int32_t)x;
  return n > 31 ? (s < 0 ? UINT32_MAX : 0) : (uint32_t)(s >> n);
}

/* Division by zero gives the extremes, as a float division converted back. */
static uint32_t i_divide(uint32_t x, uint32_t y) {
  int64_t a = (int32_t)x, b = (int32_t)y;
  return b == 0 ? (a < 0 ? 0x80000000u : 0x7fffffffu) : (uint32_t)(a / b);
}

static uint32_t i_divide_floor(uint32_t x, uint32_t y) {
  int64_t a = (int32_t)x, b = (int32_t)y;
  if (b == 0) return i_divide(x, y);
  return (uint32_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

static uint32_t i_gcd(uint32_t x, uint32_t y) {
  x = (int32_t)x < 0 ? 0u - x : x, y = (int32_t)y < 0 ? 0u - y : y;
  while (y) {
    uint32_t r = x % y;
    x = y, y = r;
  }
  return x;
}

/*===- The table ----------------------------------------------------------------------------===*/

typedef struct Lane {
  uint32_t x, y, z;
  bool wide; /* DST */
  bool wormhole;
} Lane;

/* An integer as functions of a tile and a number load it: on Wormhole as sign and magnitude, which
 * two's complement becomes by this, and by which it comes back. The least integer has none. */
static uint32_t i_loaded(Lane l, uint32_t x) {
  return l.wormhole && x >> 31 ? 0u - (x & 0x7fffffffu) : x;
}
static uint32_t i_stored(Lane l, uint32_t x) {
  return l.wormhole && x >> 31 ? 0x80000000u | (0u - x) : x;
}
/* What comes out below zero is turned over, with the sign of the number. */
static uint32_t i_xor(uint32_t x, uint32_t u) {
  uint32_t r = x ^ u;
  if (!(r >> 31) || r == 0x80000000u) return r;
  return ((0u - r) & 0x7fffffffu) | (u & 0x80000000u);
}

#define SCALARS                                                                                    \
  uint32_t u = s[0], v = s[1];                                                                     \
  float p = bits_float(u), q = bits_float(v), r = bits_float(s[2]);                                \
  (void)v, (void)p, (void)q, (void)r
#define FLOAT(name, init, rounds, value)                                                           \
  static uint32_t lane_##name(Lane l, const uint32_t *s) {                                         \
    uint32_t x = l.x;                                                                              \
    float a = bits_float(x), b = bits_float(l.y), c = bits_float(l.z);                             \
    SCALARS;                                                                                       \
    bool wide = l.wide, wh = l.wormhole;                                                           \
    (void)a, (void)b, (void)c, (void)wide, (void)wh;                                               \
    return float_bits((float)(value));                                                             \
  }
#define BITS(name, init, value)                                                                    \
  static uint32_t lane_##name(Lane l, const uint32_t *s) {                                         \
    uint32_t x = l.x, y = l.y, z = l.z;                                                            \
    SCALARS;                                                                                       \
    (void)x, (void)y, (void)z;                                                                     \
    return (uint32_t)(value);                                                                      \
  }
#include "ttemu/sfpu.def"
#undef FLOAT
#undef BITS

static const struct {
  uint32_t (*lane)(Lane lane, const uint32_t *scalars);
  const char *name;
  ttemu_sfpu init;
  bool rounds, raw;
} functions[TTEMU_NUM_SFPU] = {
#define FLOAT(name, init, rounds, value) {lane_##name, #name, TTEMU_##init, rounds, false},
#define BITS(name, init, value) {lane_##name, #name, TTEMU_##init, false, true},
#include "ttemu/sfpu.def"
#undef FLOAT
#undef BITS
};

const char *emu_sfpu_name(ttemu_sfpu op) { return functions[op].name; }
ttemu_sfpu emu_sfpu_init_of(ttemu_sfpu op) { return functions[op].init; }

/* Functions whose init leaves no constant, macro or second address mode behind, but only what every
 * init does: the address mode and the counters that all share. So they run after the init of any.
 */
bool emu_sfpu_init_is_shared(ttemu_sfpu init) {
  switch ((int)init) {
  case TTEMU_ABS:
  case TTEMU_FILL:
  case TTEMU_COPY_DEST:
  case TTEMU_ADD_SCALAR:
  case TTEMU_ADD_DST:
  case TTEMU_SUB_DST:
  case TTEMU_MUL_DST:
  case TTEMU_RSUB_DST:
  case TTEMU_NEGATIVE:
  case TTEMU_SQUARE:
  case TTEMU_SIGN:
  case TTEMU_SIGNBIT:
  case TTEMU_HEAVISIDE:
  case TTEMU_RELU:
  case TTEMU_RELU_MAX:
  case TTEMU_RELU_MIN:
  case TTEMU_LEAKY_RELU:
  case TTEMU_EQZ:
  case TTEMU_NEZ:
  case TTEMU_LTZ:
  case TTEMU_LEZ:
  case TTEMU_GTZ:
  case TTEMU_GEZ:
  case TTEMU_UNARY_EQ:
  case TTEMU_UNARY_NE:
  case TTEMU_UNARY_LT:
  case TTEMU_UNARY_LE:
  case TTEMU_UNARY_GT:
  case TTEMU_UNARY_GE:
  case TTEMU_LOGICAL_NOT:
  case TTEMU_ISPOSINF:
  case TTEMU_ISNEGINF:
  case TTEMU_ISNAN:
  case TTEMU_LEFT_SHIFT:
  case TTEMU_RIGHT_SHIFT:
  case TTEMU_ADD_INT:
  case TTEMU_SUB_INT: return true;
  default: return false;
  }
}

static uint32_t stored(uint32_t bits, bool rounds, DstMode mode) {
  if (mode.wide) return bits;
  if (mode.five) return emu_half_in_dst(bits, rounds);
  bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  if (rounds && finite) bits += 0x7fffu + (bits >> 16 & 1);
  return bits & 0xffff0000u;
}

/* Faces 0 1 / 2 3: all of them, the upper two, or the left two; of each the first `vectors`.
 * Without a mode, so many vectors from the first one on. A vector has the even or the odd columns
 * of four rows of a face. */
static bool in_vector_mode(int mode, int vectors, int i) {
  int row = i / 32, column = i % 32, face = row / 16 * 2 + column / 16;
  int vector = row % 16 / 4 * 2 + column % 2;
  if (mode == TTEMU_VECTOR_NONE) return face * 8 + vector < vectors;
  return vector < vectors && (mode == TTEMU_VECTOR_RC || (mode == TTEMU_VECTOR_R && row < 16) ||
                              (mode == TTEMU_VECTOR_C && column < 16));
}

void emu_sfpu(const ttemu_sfpu_call *call, DstMode mode, uint32_t *const in[3], uint32_t *out) {
  static const uint32_t zero[TILE];
  const uint32_t *x = in[0] ? in[0] : zero, *y = in[1] ? in[1] : zero, *z = in[2] ? in[2] : zero;
  int vectors = call->vectors ? call->vectors : 8;
  for (int i = 0; i < TILE; ++i) {
    if (!in_vector_mode(call->vector_mode, vectors, i)) continue;
    Lane lane = {x[i], y[i], z[i], mode.wide, mode.wormhole};
    uint32_t bits = functions[call->op].lane(lane, call->scalars);
    out[i] = functions[call->op].raw ? bits : stored(bits, functions[call->op].rounds, mode);
  }
}

void ttemu_sfpu_lanes(ttemu_sfpu op, const uint32_t *in, const uint32_t *scalars, uint32_t *out) {
  for (int i = 0; i < 32; ++i)
    out[i] = functions[op].lane((Lane){in[i], 0, 0, true, true}, scalars);
}
