/*===- matmul.c - products of tiles, a row of the result at a time ---------------------------===
 *
 * The arithmetic of fpu.c, for 32 columns at once, in loops that the compiler turns into
 * vector instructions: products of eight lanes, aligned to the largest exponent and added;
 * two such sums accumulated onto DST in fixed point, and rounded. On a host with AVX-512 or AVX2
 * the products are numbers of 16 bits (matmul_avx512.c, matmul_avx2.c).
 *
 *===----------------------------------------------------------------------===*/

#include "matmul.h"

#include <string.h>

/* Of a tile, for one phase: signed parts of significands, and exponents, 0 for zero. */
typedef struct Parts {
  int32_t sig[N][N], exp[N][N];
} Parts;

/* sign * magnitude at `exp`, with 1.0 = 2^23, for each column. */
typedef struct Terms {
  int32_t value[N], exp[N];
} Terms;

Rounding emu_rounding_of(DstMode mode) {
  bool half = mode.five && !mode.wide;
  return (Rounding){.bits = mode.wide ? 24
                            : half    ? 11
                                      : 8,
                    .lowest = half ? 112 : 0,
                    .too_large = half ? 144 : 255,
                    .wide_zero = mode.five && mode.wide ? 97 : 0,
                    .largest = half ? 0x47ffe000u : 0x7f800000u,
                    .narrow = !mode.wide,
                    .wormhole = mode.wormhole};
}

static inline int32_t magnitude(int32_t x) { return x < 0 ? -x : x; }

static inline __attribute__((always_inline)) void lane_sums(const int32_t (*a)[N],
                                                            const int32_t (*ea)[N],
                                                            const int32_t *b, const int32_t *eb,
                                                            int32_t shift, Rounding r, Terms *out) {
  int32_t exp[LANES][N], top[N], sum[N], zero = r.wide_zero ? r.wide_zero - shift : 0;
  for (int k = 0; k < LANES; ++k)
    for (int j = 0; j < N; ++j) {
      int32_t e = ea[k][j] + (eb[k] - 127 - shift);
      exp[k][j] = (ea[k][j] != 0) & (eb[k] != 0) ? e : zero;
    }
  for (int j = 0; j < N; ++j) top[j] = exp[0][j], sum[j] = 0;
  for (int k = 1; k < LANES; ++k)
    for (int j = 0; j < N; ++j) top[j] = exp[k][j] > top[j] ? exp[k][j] : top[j];
  for (int k = 0; k < LANES; ++k)
    for (int j = 0; j < N; ++j) {
      int32_t product = a[k][j] * b[k], d = top[j] - exp[k][j];
      d = d > 30 ? 30 : d;
      uint32_t half = 1u << d, m = 2u * (uint32_t)magnitude(product);
      int32_t aligned = (int32_t)((m + half) >> d >> 1);
      sum[j] += product < 0 ? -aligned : aligned;
    }
  for (int j = 0; j < N; ++j) {
    out->value[j] = top[j] > r.lowest ? sum[j] * 8192 : 0;
    out->exp[j] = top[j] > r.lowest ? top[j] : 0;
  }
}

/* Right shift by d with rounding; `bias` is 1 for negative terms that are sums. All
 * magnitudes are below 2^29. */
static inline int32_t align(int32_t value, int32_t d, int32_t bias, bool narrow) {
  int32_t m = magnitude(value), shift = d > 30 ? 30 : d, half = (1 << shift) >> 1;
  m = d > 30 ? 0 : d <= 0 ? m : (m + half - bias) >> shift;
  if (narrow) m = (m + 0x1000 - bias) & ~0x1fff;
  return value < 0 ? -m : m;
}

/* Place of the highest bit of a positive number below 2^31: a float's exponent, after
 * the next bit is cleared so that no rounding reaches the power of two above. */
static inline int32_t top_bit(int32_t m) {
  union {
    float f;
    int32_t i;
  } u = {.f = (float)(m & ~(m >> 1))};
  return (u.i >> 23) - 127;
}

static inline __attribute__((always_inline)) void accumulate(uint32_t *dst, const Terms *s0,
                                                             const Terms *s1, Rounding r) {
  for (int j = 0; j < N; ++j) {
    uint32_t f = dst[j];
    int32_t ed = (int32_t)(f >> 23 & 255), md = ed ? (int32_t)(0x800000u | (f & 0x7fffffu)) : 0;
    int32_t vd = (int32_t)f < 0 ? -md : md;
    int32_t e = ed > s0->exp[j] ? ed : s0->exp[j];
    e = s1->exp[j] > e ? s1->exp[j] : e;
    int32_t sum = align(vd, e - ed, 0, r.narrow) +
                  align(s0->value[j], e - s0->exp[j], s0->value[j] < 0, r.narrow) +
                  align(s1->value[j], e - s1->exp[j], s1->value[j] < 0, r.narrow);
    int32_t m = magnitude(sum), top = top_bit(m | 1);
    top = r.wormhole & (sum == -1) ? 27 : top; /* as if its top bit were there */
    int32_t exp = e + top - 23, drop = top - (r.bits - 1);
    int32_t down = drop > 0 ? drop : 0, up = drop > 0 ? 0 : 23 - top;
    int32_t sig = (m + ((1 << down) >> 1)) >> down;
    int32_t carry = drop > 0 ? sig >> r.bits : 0;
    sig >>= carry, exp += carry;
    sig <<= drop > 0 ? 24 - r.bits : up;
    uint32_t sign = sum < 0 ? 0x80000000u : 0;
    uint32_t value = sign | (uint32_t)exp << 23 | ((uint32_t)sig & 0x7fffffu);
    value = exp >= r.too_large ? sign | r.largest : value;
    dst[j] = (e <= r.lowest) | (sum == 0) | (exp <= r.lowest) ? 0 : value;
  }
}

/* One phase of a row of the result, in both halves of K. */
EMU_VECTORIZED static void row_of_phase(const Parts *a, const int32_t *b, const int32_t *eb,
                                        int32_t shift, Rounding r, uint32_t *dst) {
  for (int k = 0; k < N; k += 2 * LANES) {
    Terms s0, s1;
    lane_sums(a->sig + k, a->exp + k, b + k, eb + k, shift, r, &s0);
    lane_sums(a->sig + k + LANES, a->exp + k + LANES, b + k + LANES, eb + k + LANES, shift, r, &s1);
    accumulate(dst, &s0, &s1, r);
  }
}

void emu_matmul_portable(const Source *in0, const Source *in1, int phases, DstMode mode,
                         uint32_t *dst) {
  static _Thread_local Parts a, b;
  Rounding r = emu_rounding_of(mode);
  for (int p = 0; p < phases; ++p) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        int sa = in1->sig[i * N + j], sb = in0->sig[i * N + j];
        int ma = sa < 0 ? -sa : sa, mb = sb < 0 ? -sb : sb;
        ma = p & 1 ? ma >> 1 & 31 : ma >> 6;
        mb = p >= 2 ? (mb & 15) << 3 : mb >> 4;
        a.sig[i][j] = sa < 0 ? -ma : ma, a.exp[i][j] = in1->exp[i * N + j];
        b.sig[i][j] = sb < 0 ? -mb : mb, b.exp[i][j] = in0->exp[i * N + j];
      }
    int32_t shift = (p & 1 ? 5 : 0) + (p >= 2 ? 7 : 0);
    for (int i = 0; i < N; ++i) row_of_phase(&a, b.sig[i], b.exp[i], shift, r, dst + i * N);
  }
}

/*===- What the host has ----------------------------------------------------------------------===*/

EmuMatmul *emu_matmul_way(EmuWay way) {
#ifdef EMU_CLONES
  bool avx512 = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512dq");
  if (way == EMU_WAY_AVX512) return avx512 ? emu_matmul_avx512 : NULL;
  if (way == EMU_WAY_AVX2) return __builtin_cpu_supports("avx2") ? emu_matmul_avx2 : NULL;
#endif
  return way == EMU_WAY_PORTABLE ? emu_matmul_portable : NULL;
}

/* DST += in0 . in1, where in0 feeds source B and in1 source A. */
void emu_matmul_exact(const Source *in0, const Source *in1, int phases, DstMode mode,
                      uint32_t *dst) {
  EmuMatmul *matmul = NULL;
  for (int way = 0; !matmul; ++way) matmul = emu_matmul_way((EmuWay)way);
  matmul(in0, in1, phases, mode, dst);
}
