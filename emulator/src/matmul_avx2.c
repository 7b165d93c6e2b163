/*===- matmul_avx2.c - products of tiles on hosts with AVX2 -------------------------------------===
 *
 * As matmul_avx512.c, half a row at a time. Masks are numbers all of whose bits are set, or none;
 * powers of two of 16 bits are looked up, and the place of the highest bit is a float's exponent.
 *
 *===----------------------------------------------------------------------===*/

#include "matmul.h"

#ifdef EMU_CLONES
#include <immintrin.h>

#define AVX2 __attribute__((target("arch=x86-64-v3"), optimize("O3")))
#define INLINE AVX2 static inline __attribute__((always_inline))

enum { HALF = 16, QUARTER = 8 };

/* Of a column's tile, the parts of significands that phases multiply, high and low; exponents, of
 * zeros far below all others; signs of products with numbers above and below zero, 1 or -1; and
 * masks of columns that have a zero among eight lanes. */
typedef struct Columns {
  int16_t sig[2][N][N], exp[N][N], sign[2][N][N], zeros[N / LANES][N];
} Columns;

/* Of a row's tile, twice the same parts, and exponents less 127, each number twice, as they are
 * given to all columns; which are below zero; and masks of eight lanes that have a zero. */
typedef struct Rows {
  uint32_t sig[2][N][N], exp[N][N];
  uint8_t below[N][N];
  uint32_t zeros[N][N / LANES];
} Rows;

enum { ZERO = -8192 }; /* the exponent of a zero; those of products are above -512 */

INLINE __m256i load(const void *from) { return _mm256_loadu_si256(from); }
INLINE void store(void *to, __m256i value) { _mm256_storeu_si256(to, value); }

AVX2 static void split_columns(const Source *s, Columns *out) {
  const __m256i zero = _mm256_setzero_si256();
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; j += HALF) {
      const __m256i sig = load(s->sig + i * N + j), m = _mm256_abs_epi16(sig);
      const __m256i exp = _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)(s->exp + i * N + j)));
      const __m256i is_zero = _mm256_cmpeq_epi16(exp, zero);
      const __m256i sign = _mm256_or_si256(_mm256_srai_epi16(sig, 15), _mm256_set1_epi16(1));
      int16_t *zeros = &out->zeros[i / LANES][j];
      store(&out->sig[0][i][j], _mm256_srli_epi16(m, 6));
      store(&out->sig[1][i][j], _mm256_and_si256(_mm256_srli_epi16(m, 1), _mm256_set1_epi16(31)));
      store(&out->exp[i][j], _mm256_blendv_epi8(exp, _mm256_set1_epi16(ZERO), is_zero));
      store(&out->sign[0][i][j], sign);
      store(&out->sign[1][i][j], _mm256_sub_epi16(zero, sign));
      store(zeros, i % LANES ? _mm256_or_si256(load(zeros), is_zero) : is_zero);
    }
}

static uint32_t two_of(int number) { return (uint32_t)(number & 0xffff) * 0x10001u; }

static void split_rows(const Source *s, Rows *out) {
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k) {
      const int sig = s->sig[i * N + k], m = sig < 0 ? -sig : sig, exp = s->exp[i * N + k];
      uint32_t *zeros = &out->zeros[i][k / LANES];
      out->sig[0][i][k] = two_of(2 * (m >> 4)), out->sig[1][i][k] = two_of(2 * ((m & 15) << 3));
      out->exp[i][k] = two_of(exp ? exp - 127 : ZERO);
      out->below[i][k] = sig < 0;
      if (k % LANES == 0) *zeros = 0;
      if (exp == 0) *zeros = UINT32_MAX;
    }
}

/* Terms of 16 columns in 16 bits, before they are scaled, and of 8 columns. */
typedef struct Row {
  __m256i value, exp;
} Row;
typedef struct Row8 {
  __m256i value, exp;
} Row8;

/* 2^14 / 2^d in 16 bits, none where d is 15 and more: the lower byte is looked up at d, the upper
 * one at d + 8, and an index from 128 on gives none. */
INLINE __m256i scale_of(__m256i d) {
  const __m256i powers = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1, 0));
  const __m256i byte = _mm256_min_epu16(d, _mm256_set1_epi16(255));
  const __m256i both = _mm256_or_si256(byte, _mm256_slli_epi16(byte, 8));
  return _mm256_shuffle_epi8(powers, _mm256_adds_epu8(both, _mm256_set1_epi16(0x7870)));
}

INLINE __m256i to_all(uint32_t twice) { return _mm256_set1_epi32((int32_t)twice); }

/* As lane_sums of matmul.c, of eight lanes of row i from k on, and columns from j on, with parts
 * number `pa` and `pb`. A product p has 12 bits, so that p / 2^d, rounded half away from zero, is
 * the rounded high half of 2p * 2^(14-d); sums have 15 bits and a sign. */
INLINE Row sums_of(const Columns *a, int pa, const Rows *b, int pb, int i, int j, int k, int shift,
                   Rounding r) {
  const __m256i by = _mm256_set1_epi16((int16_t)shift);
  const __m256i zeros =
      _mm256_or_si256(load(&a->zeros[k / LANES][j]), to_all(b->zeros[i][k / LANES]));
  const __m256i of_zero = _mm256_set1_epi16((int16_t)(r.wide_zero ? r.wide_zero - shift : 0));
  __m256i exp[LANES], top = _mm256_set1_epi16(INT16_MIN), sum = _mm256_setzero_si256();
  for (int l = 0; l < LANES; ++l) {
    exp[l] = _mm256_add_epi16(load(&a->exp[k + l][j]), to_all(b->exp[i][k + l]));
    top = _mm256_max_epi16(top, exp[l]);
  }
  /* exponents of zeros and of products, before those of the phase */
  const __m256i least = _mm256_add_epi16(of_zero, by);
  top = _mm256_max_epi16(top, _mm256_blendv_epi8(top, least, zeros));
  for (int l = 0; l < LANES; ++l) {
    const __m256i p = _mm256_mullo_epi16(load(&a->sig[pa][k + l][j]), to_all(b->sig[pb][i][k + l]));
    const __m256i scale = scale_of(_mm256_sub_epi16(top, exp[l]));
    const __m256i sign = load(&a->sign[b->below[i][k + l]][k + l][j]);
    sum = _mm256_add_epi16(sum, _mm256_sign_epi16(_mm256_mulhrs_epi16(p, scale), sign));
  }
  top = _mm256_sub_epi16(top, by);
  const __m256i counts = _mm256_cmpgt_epi16(top, _mm256_set1_epi16((int16_t)r.lowest));
  return (Row){_mm256_and_si256(sum, counts), _mm256_and_si256(top, counts)};
}

/* `value`, or minus that where the mask is set. */
INLINE __m256i negated(__m256i value, __m256i mask) {
  return _mm256_sub_epi32(_mm256_xor_si256(value, mask), mask);
}

INLINE __m256i narrowed(__m256i v) {
  return _mm256_and_si256(_mm256_add_epi32(v, _mm256_set1_epi32(0x1000)),
                          _mm256_set1_epi32(~0x1fff));
}

/* value / 2^d, of 8 sums of lanes: halves go up, as align of matmul.c rounds these. */
INLINE __m256i aligned(__m256i value, __m256i d, bool narrow) {
  const __m256i one = _mm256_set1_epi32(1), most = _mm256_min_epi32(d, _mm256_set1_epi32(31));
  const __m256i half = _mm256_sllv_epi32(one, _mm256_sub_epi32(most, one)); /* none where d is 0 */
  const __m256i v = _mm256_srav_epi32(_mm256_add_epi32(value, half), most);
  return narrow ? narrowed(v) : v;
}

/* The same of DST, whose halves go away from zero; in 16-bit DST, as shifts only take what is zero.
 */
INLINE __m256i aligned_dst(__m256i f, __m256i ed, __m256i e, bool narrow) {
  const __m256i one = _mm256_set1_epi32(1), d = _mm256_sub_epi32(e, ed);
  const __m256i half = _mm256_sllv_epi32(one, _mm256_sub_epi32(d, one));
  __m256i m = _mm256_or_si256(_mm256_and_si256(f, _mm256_set1_epi32(0x7fffff)),
                              _mm256_set1_epi32(0x800000));
  m = _mm256_and_si256(_mm256_add_epi32(m, half), _mm256_cmpgt_epi32(ed, _mm256_setzero_si256()));
  m = _mm256_srlv_epi32(m, d);
  return negated(narrow ? narrowed(m) : m, _mm256_srai_epi32(f, 31));
}

/* How far positive numbers below 2^30 are from having bit 23 as their highest: a float's exponent,
 * after the next bit is cleared so that no rounding reaches the power of two above. */
INLINE __m256i way_to_bit_23(__m256i m) {
  const __m256i one = _mm256_or_si256(m, _mm256_set1_epi32(1));
  const __m256 f = _mm256_cvtepi32_ps(_mm256_andnot_si256(_mm256_srli_epi32(one, 1), one));
  return _mm256_sub_epi32(_mm256_set1_epi32(127 + 23),
                          _mm256_srli_epi32(_mm256_castps_si256(f), 23));
}

/* As accumulate of matmul.c, on 8 columns. */
INLINE void accumulate(uint32_t *dst, Row8 s0, Row8 s1, Rounding r) {
  const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi32(1);
  const __m256i f = load(dst);
  const __m256i ed = _mm256_and_si256(_mm256_srli_epi32(f, 23), _mm256_set1_epi32(255));
  const __m256i e = _mm256_max_epi32(_mm256_max_epi32(ed, s0.exp), s1.exp);
  __m256i sum = aligned_dst(f, ed, e, r.narrow);
  sum = _mm256_add_epi32(sum, aligned(s0.value, _mm256_sub_epi32(e, s0.exp), r.narrow));
  sum = _mm256_add_epi32(sum, aligned(s1.value, _mm256_sub_epi32(e, s1.exp), r.narrow));

  const __m256i m = _mm256_abs_epi32(sum);
  __m256i up = way_to_bit_23(m);
  if (r.wormhole) /* as if -1 had its top bit there */
    up = _mm256_blendv_epi8(up, _mm256_set1_epi32(-4),
                            _mm256_cmpeq_epi32(sum, _mm256_set1_epi32(-1)));
  __m256i exp = _mm256_sub_epi32(e, up);
  const __m256i drop = _mm256_sub_epi32(_mm256_set1_epi32(24 - r.bits), up);
  const __m256i drops = _mm256_cmpgt_epi32(drop, zero);
  const __m256i half = _mm256_sllv_epi32(one, _mm256_sub_epi32(drop, one));
  __m256i sig = _mm256_srlv_epi32(_mm256_add_epi32(m, half), drop);
  const __m256i carry = _mm256_and_si256(_mm256_srl_epi32(sig, _mm_cvtsi32_si128(r.bits)), drops);
  sig = _mm256_sll_epi32(_mm256_srlv_epi32(sig, carry), _mm_cvtsi32_si128(24 - r.bits));
  exp = _mm256_add_epi32(exp, carry);
  sig = _mm256_blendv_epi8(_mm256_sllv_epi32(m, up), sig, drops);

  __m256i value = _mm256_or_si256(_mm256_slli_epi32(exp, 23),
                                  _mm256_and_si256(sig, _mm256_set1_epi32(0x7fffff)));
  value = _mm256_blendv_epi8(value, _mm256_set1_epi32((int32_t)r.largest),
                             _mm256_cmpgt_epi32(exp, _mm256_set1_epi32(r.too_large - 1)));
  value = _mm256_or_si256(value, _mm256_and_si256(sum, _mm256_set1_epi32(INT32_MIN)));
  const __m256i lowest = _mm256_set1_epi32(r.lowest);
  const __m256i there =
      _mm256_and_si256(_mm256_cmpgt_epi32(e, lowest), _mm256_cmpgt_epi32(exp, lowest));
  store(dst, _mm256_andnot_si256(_mm256_cmpeq_epi32(sum, zero), _mm256_and_si256(there, value)));
}

/* Columns of a row, of which the lower or upper half, as numbers of 32 bits. */
INLINE Row8 half_of(Row row, int half) {
  const __m128i value = half ? _mm256_extracti128_si256(row.value, 1)
                             : _mm256_castsi256_si128(row.value),
                exp = half ? _mm256_extracti128_si256(row.exp, 1) : _mm256_castsi256_si128(row.exp);
  return (Row8){_mm256_slli_epi32(_mm256_cvtepi16_epi32(value), 13), _mm256_cvtepi16_epi32(exp)};
}

AVX2 void emu_matmul_avx2(const Source *in0, const Source *in1, int phases, DstMode mode,
                          uint32_t *dst) {
  static _Thread_local Columns a;
  static _Thread_local Rows b;
  const Rounding r = emu_rounding_of(mode);
  split_columns(in1, &a), split_rows(in0, &b);
  for (int p = 0; p < phases; ++p) {
    const int shift = (p & 1 ? 5 : 0) + (p >= 2 ? 7 : 0);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; j += HALF)
        for (int k = 0; k < N; k += 2 * LANES) {
          const Row s0 = sums_of(&a, p & 1, &b, p >= 2, i, j, k, shift, r);
          const Row s1 = sums_of(&a, p & 1, &b, p >= 2, i, j, k + LANES, shift, r);
          for (int h = 0; h < 2; ++h)
            accumulate(dst + i * N + j + h * QUARTER, half_of(s0, h), half_of(s1, h), r);
        }
  }
}
#endif
