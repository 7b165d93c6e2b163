/*===- matmul_avx512.c - products of tiles on hosts with AVX-512 --------------------------------===
 *
 * As matmul.c, with products that are numbers of 16 bits, of which one instruction takes a whole
 * row.
 *
 *===----------------------------------------------------------------------===*/

#include "matmul.h"

#ifdef EMU_CLONES
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

WIDE void emu_matmul_avx512(const Source *in0, const Source *in1, int phases, DstMode mode,
                            uint32_t *dst) {
  static _Thread_local Halves a, b;
  const Rounding r = emu_rounding_of(mode);
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
