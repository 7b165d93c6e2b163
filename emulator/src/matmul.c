/*===- matmul.c - products of tiles, a row of the result at a time ---------------------------===
 *
 * The arithmetic of fpu.c, for 32 columns at once, in loops that the compiler turns into
 * vector instructions: products of eight lanes, aligned to the largest exponent and added;
 * two such sums accumulated onto DST in fixed point, and rounded. On a host with AVX-512 the
 * products are numbers of 16 bits, of which one instruction takes a whole row.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <string.h>

enum { N = 32, LANES = 8 };

#ifdef EMU_CLONES
#define WIDE_ROWS
#endif

/* Of a tile, for one phase: signed parts of significands, and exponents, 0 for zero. */
typedef struct Parts {
  int32_t sig[N][N], exp[N][N];
} Parts;

/* sign * magnitude at `exp`, with 1.0 = 2^23, for each column. */
typedef struct Terms {
  int32_t value[N], exp[N];
} Terms;

/* What differs between modes of DST and sources; fpu.c has the reasons. */
typedef struct Rounding {
  int32_t bits, lowest, too_large, wide_zero;
  uint32_t largest;
  bool narrow, wormhole;
} Rounding;

static Rounding rounding_of(DstMode mode) {
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
  Rounding r = rounding_of(mode);
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

/*===- Rows of 16-bit numbers -----------------------------------------------------------------===*/

#ifdef WIDE_ROWS
#include <immintrin.h>
#define WIDE __attribute__((target("arch=x86-64-v4"), optimize("O3")))

/* The parts of a tile that phases multiply, high and low, without their signs, and its exponents;
 * of a row's columns, which are below zero, and which are not zero, a bit each. */
typedef struct Halves {
  int16_t sig[2][N][N], exp[N][N];
  uint32_t negative[N], there[N];
} Halves;

WIDE static void split(const Source *s, bool is_a, Halves *out) {
  for (int i = 0; i < N; ++i) {
    const __m512i sig = _mm512_loadu_si512(s->sig + i * N), m = _mm512_abs_epi16(sig);
    const __m512i exp = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(s->exp + i * N)));
    const __m512i high = is_a ? _mm512_srli_epi16(m, 6) : _mm512_srli_epi16(m, 4);
    const __m512i low = is_a ? _mm512_and_si512(_mm512_srli_epi16(m, 1), _mm512_set1_epi16(31))
                             : _mm512_slli_epi16(_mm512_and_si512(m, _mm512_set1_epi16(15)), 3);
    _mm512_storeu_si512(out->sig[0][i], high), _mm512_storeu_si512(out->sig[1][i], low);
    _mm512_storeu_si512(out->exp[i], exp);
    out->negative[i] = _mm512_movepi16_mask(sig), out->there[i] = _mm512_test_epi16_mask(exp, exp);
  }
}

/* Terms of 32 columns in 16 bits, before they are scaled, and of 16 columns. */
typedef struct Row {
  __m512i value, exp;
} Row;
typedef struct Row16 {
  __m512i value, exp;
} Row16;

/* As lane_sums, of lanes from k on, and row i of b. A product p has 12 bits, so that p / 2^d,
 * rounded half away from zero, is the rounded high half of 2p * 2^(14-d); sums have 15 bits and a
 * sign. */
WIDE static inline __attribute__((always_inline)) Row wide_sums(const Halves *a,
                                                                const int16_t (*sa)[N],
                                                                const Halves *b, const int16_t *sb,
                                                                int i, int k, int shift,
                                                                Rounding r) {
  const __m512i zero = _mm512_setzero_si512(), unit = _mm512_set1_epi16(1 << 14);
  const __m512i exp_of_zero = _mm512_set1_epi16((int16_t)(r.wide_zero ? r.wide_zero - shift : 0));
  __m512i exp[LANES], top = zero, sum = zero;
  const uint32_t there = b->there[i] >> k, negative = b->negative[i] >> k;
  for (int l = 0; l < LANES; ++l) {
    const __m512i by = _mm512_set1_epi16((int16_t)(b->exp[i][k + l] - 127 - shift));
    const __mmask32 both = a->there[k + l] & -(there >> l & 1);
    exp[l] = _mm512_mask_add_epi16(exp_of_zero, both, _mm512_loadu_si512(a->exp[k + l]), by);
    top = l ? _mm512_max_epi16(top, exp[l]) : exp[l];
  }
  for (int l = 0; l < LANES; ++l) {
    const __m512i twice = _mm512_set1_epi16((int16_t)(2 * sb[k + l]));
    const __m512i p = _mm512_mullo_epi16(_mm512_loadu_si512(sa[k + l]), twice);
    const __m512i scale = _mm512_srlv_epi16(unit, _mm512_sub_epi16(top, exp[l]));
    const __mmask32 below = a->negative[k + l] ^ -(negative >> l & 1);
    const __m512i aligned = _mm512_mulhrs_epi16(p, scale);
    sum = _mm512_add_epi16(sum, _mm512_mask_sub_epi16(aligned, below, zero, aligned));
  }
  const __mmask32 counts = _mm512_cmpgt_epi16_mask(top, _mm512_set1_epi16((int16_t)r.lowest));
  return (Row){_mm512_maskz_mov_epi16(counts, sum), _mm512_maskz_mov_epi16(counts, top)};
}

/* value / 2^d, of 16 sums of lanes: halves go up, as align rounds these. */
WIDE static inline __attribute__((always_inline)) __m512i wide_align(__m512i value, __m512i d,
                                                                     bool narrow) {
  const __m512i one = _mm512_set1_epi32(1), most = _mm512_min_epi32(d, _mm512_set1_epi32(31));
  const __m512i half = _mm512_sllv_epi32(one, _mm512_sub_epi32(most, one)); /* none where d is 0 */
  __m512i v = _mm512_srav_epi32(_mm512_add_epi32(value, half), most);
  if (narrow)
    v = _mm512_and_si512(_mm512_add_epi32(v, _mm512_set1_epi32(0x1000)),
                         _mm512_set1_epi32(~0x1fff));
  return v;
}

/* The same of DST, whose halves go away from zero; in 16-bit DST, as shifts only take what is zero.
 */
WIDE static inline __attribute__((always_inline)) __m512i wide_align_dst(__m512i f, __m512i ed,
                                                                         __m512i e, bool narrow) {
  const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi32(1);
  const __m512i d = _mm512_sub_epi32(e, ed);
  const __m512i half = _mm512_sllv_epi32(one, _mm512_sub_epi32(d, one));
  __m512i m = _mm512_or_si512(_mm512_and_si512(f, _mm512_set1_epi32(0x7fffff)),
                              _mm512_set1_epi32(0x800000));
  m = _mm512_maskz_add_epi32(_mm512_test_epi32_mask(ed, ed), m, half);
  m = _mm512_srlv_epi32(m, d);
  if (narrow)
    m = _mm512_and_si512(_mm512_add_epi32(m, _mm512_set1_epi32(0x1000)),
                         _mm512_set1_epi32(~0x1fff));
  return _mm512_mask_sub_epi32(m, _mm512_movepi32_mask(f), zero, m);
}

/* As accumulate, on 16 columns. */
WIDE static inline __attribute__((always_inline)) void wide_accumulate(uint32_t *dst, Row16 s0,
                                                                       Row16 s1, Rounding r) {
  const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi32(1);
  const __m512i f = _mm512_loadu_si512(dst);
  const __m512i ed = _mm512_and_si512(_mm512_srli_epi32(f, 23), _mm512_set1_epi32(255));
  const __m512i e = _mm512_max_epi32(_mm512_max_epi32(ed, s0.exp), s1.exp);
  __m512i sum = wide_align_dst(f, ed, e, r.narrow);
  sum = _mm512_add_epi32(sum, wide_align(s0.value, _mm512_sub_epi32(e, s0.exp), r.narrow));
  sum = _mm512_add_epi32(sum, wide_align(s1.value, _mm512_sub_epi32(e, s1.exp), r.narrow));

  const __m512i m = _mm512_abs_epi32(sum), zeros = _mm512_lzcnt_epi32(_mm512_or_si512(m, one));
  __m512i up = _mm512_sub_epi32(zeros, _mm512_set1_epi32(8)); /* to bit 23 */
  if (r.wormhole)
    up = _mm512_mask_mov_epi32(up, _mm512_cmpeq_epi32_mask(sum, _mm512_set1_epi32(-1)),
                               _mm512_set1_epi32(-4));
  __m512i exp = _mm512_sub_epi32(e, up);
  const __m512i drop = _mm512_sub_epi32(_mm512_set1_epi32(24 - r.bits), up);
  const __mmask16 drops = _mm512_cmpgt_epi32_mask(drop, zero);
  const __m512i half = _mm512_sllv_epi32(one, _mm512_sub_epi32(drop, one));
  __m512i sig = _mm512_srlv_epi32(_mm512_add_epi32(m, half), drop);
  const __m512i carry = _mm512_maskz_srli_epi32(drops, sig, (unsigned)r.bits);
  sig = _mm512_slli_epi32(_mm512_srlv_epi32(sig, carry), (unsigned)(24 - r.bits));
  exp = _mm512_add_epi32(exp, carry);
  sig = _mm512_mask_mov_epi32(_mm512_sllv_epi32(m, up), drops, sig);

  const __m512i sign = _mm512_and_si512(sum, _mm512_set1_epi32(INT32_MIN));
  __m512i value = _mm512_or_si512(_mm512_slli_epi32(exp, 23),
                                  _mm512_and_si512(sig, _mm512_set1_epi32(0x7fffff)));
  value = _mm512_mask_mov_epi32(value, _mm512_cmpge_epi32_mask(exp, _mm512_set1_epi32(r.too_large)),
                                _mm512_set1_epi32((int32_t)r.largest));
  const __m512i lowest = _mm512_set1_epi32(r.lowest);
  const __mmask16 there = _mm512_cmpgt_epi32_mask(e, lowest) & _mm512_test_epi32_mask(sum, sum) &
                          _mm512_cmpgt_epi32_mask(exp, lowest);
  _mm512_storeu_si512(dst, _mm512_maskz_or_epi32(there, sign, value));
}

/* Columns of a row, of which the upper or lower half, as numbers of 32 bits. */
WIDE static inline __attribute__((always_inline)) Row16 half_of(Row row, int half) {
  const __m256i value =
      half ? _mm512_extracti64x4_epi64(row.value, 1) : _mm512_castsi512_si256(row.value);
  const __m256i exp =
      half ? _mm512_extracti64x4_epi64(row.exp, 1) : _mm512_castsi512_si256(row.exp);
  return (Row16){_mm512_slli_epi32(_mm512_cvtepi16_epi32(value), 13), _mm512_cvtepi16_epi32(exp)};
}

WIDE static void matmul_wide(const Source *in0, const Source *in1, int phases, DstMode mode,
                             uint32_t *dst) {
  static _Thread_local Halves a, b;
  const Rounding r = rounding_of(mode);
  split(in1, true, &a), split(in0, false, &b);
  for (int p = 0; p < phases; ++p) {
    const int shift = (p & 1 ? 5 : 0) + (p >= 2 ? 7 : 0);
    const int16_t (*sa)[N] = a.sig[p & 1], (*sb)[N] = b.sig[p >= 2];
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < N; k += 2 * LANES) {
        const Row s0 = wide_sums(&a, sa, &b, sb[i], i, k, shift, r);
        const Row s1 = wide_sums(&a, sa, &b, sb[i], i, k + LANES, shift, r);
        for (int h = 0; h < 2; ++h)
          wide_accumulate(dst + i * N + h * N / 2, half_of(s0, h), half_of(s1, h), r);
      }
  }
}
#endif

/* DST += in0 . in1, where in0 feeds source B and in1 source A. */
void emu_matmul_exact(const Source *in0, const Source *in1, int phases, DstMode mode,
                      uint32_t *dst) {
#ifdef WIDE_ROWS
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    matmul_wide(in0, in1, phases, mode, dst);
    return;
  }
#endif
  emu_matmul_portable(in0, in1, phases, mode, dst);
}
