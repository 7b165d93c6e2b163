/*===- fpu.c - products and sums as the matrix engine rounds them ----------------------------===
 *
 * Sources have 11 bits of significand. A fidelity phase multiplies 5 bits of A by
 * 7 bits of B; products of eight lanes are aligned to the largest exponent and
 * added; two such sums are accumulated into DST in fixed point, and the result is
 * rounded at every step: half away from zero, to 24 bits or, in 16-bit DST, to 8.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <string.h>

/* A term of an accumulation: sign * magnitude at `exp`, with 1.0 = 2^23. */
typedef struct Term {
  int32_t value;
  int32_t exp;
} Term;

static Term term_of_dst(uint32_t f) {
  int32_t exp = (int32_t)(f >> 23 & 255);
  if (exp == 0) return (Term){0, 0};
  int32_t sig = (int32_t)(0x800000u | (f & 0x7fffffu));
  return (Term){f >> 31 ? -sig : sig, exp};
}

/* Right shift by d with rounding; `bias` is 1 for negative terms that are sums. */
static inline int64_t align(int64_t m, int32_t d, int64_t bias) {
  if (d <= 0) return m;
  if (d >= 31) return 0;
  return (m + ((int64_t)1 << (d - 1)) - bias) >> d;
}

static inline int64_t align_term(Term t, int32_t e, bool is_sum, DstMode mode) {
  bool negative = t.value < 0;
  int64_t m = negative ? -(int64_t)t.value : t.value, bias = is_sum && negative;
  m = align(m, e - t.exp, bias);
  if (!mode.wide && !mode.half) m = (m + 0x1000 - bias) & ~(int64_t)0x1fff;
  return negative ? -m : m;
}

static uint32_t normalize(int64_t sum, int32_t e, DstMode mode) {
  if (sum == 0) return 0;
  uint64_t m = (uint64_t)(sum < 0 ? -sum : sum);
  uint32_t sign = sum < 0 ? 0x80000000u : 0;
  int top = 63 - __builtin_clzll(m);
  if (mode.wormhole && sum == -1) top = 27; /* the chip normalizes it as if its top bit were here */
  int32_t exp = e + top - 23;
  int bits = mode.wide ? 24 : mode.half ? 11 : 8;
  int drop = top - (bits - 1);
  if (drop > 0) {
    m = (m + (UINT64_C(1) << (drop - 1))) >> drop;
    if (m >> bits) m >>= 1, ++exp;
    m <<= 24 - bits;
  } else {
    m <<= 23 - top;
  }
  if (exp <= 0) return 0;
  if (exp >= 255) return sign | 0x7f800000u;
  return sign | (uint32_t)exp << 23 | ((uint32_t)m & 0x7fffffu);
}

static uint32_t accumulate(uint32_t dst, Term s0, Term s1, DstMode mode) {
  Term d = term_of_dst(dst);
  int32_t e = d.exp > s0.exp ? d.exp : s0.exp;
  if (s1.exp > e) e = s1.exp;
  if (e <= 0) return 0;
  return normalize(align_term(d, e, false, mode) + align_term(s0, e, true, mode) +
                       align_term(s1, e, true, mode), e, mode);
}

/*===- Phases -----------------------------------------------------------------------------===*/

/* The parts of a significand that phase p multiplies. */
static inline int part_of_a(int sig, int p) {
  int m = sig < 0 ? -sig : sig;
  m = p & 1 ? m >> 1 & 31 : m >> 6;
  return sig < 0 ? -m : m;
}

static inline int part_of_b(int sig, int p) {
  int m = sig < 0 ? -sig : sig;
  m = p >= 2 ? (m & 15) << 3 : m >> 4;
  return sig < 0 ? -m : m;
}

static inline int phase_shift(int p) { return (p & 1 ? 5 : 0) + (p >= 2 ? 7 : 0); }

/* The sum of eight products, aligned to the largest of their exponents. */
static inline Term lane_sum(const int16_t *a, const int16_t *ea, const int16_t *b,
                            const int16_t *eb, int shift) {
  int32_t product[8], exp[8], top = 0, sum = 0;
  for (int i = 0; i < 8; ++i) {
    product[i] = a[i] * b[i];
    exp[i] = ea[i] && eb[i] ? ea[i] + eb[i] - 127 - shift : 0;
  }
  top = exp[0];
  for (int i = 1; i < 8; ++i) top = exp[i] > top ? exp[i] : top;
  for (int i = 0; i < 8; ++i) {
    int32_t d = top - exp[i], m = product[i] < 0 ? -product[i] : product[i];
    d = d > 30 ? 30 : d;
    int32_t aligned = (int32_t)(((uint32_t)(2 * m) + (1u << d)) >> (d + 1) % 32);
    sum += product[i] < 0 ? -aligned : aligned;
  }
  return (Term){sum * 8192, top};
}

static float source_value(const Source *s, int i) {
  uint32_t bits;
  float value;
  int m = s->sig[i] < 0 ? -s->sig[i] : s->sig[i];
  if (m == 0) return 0;
  bits =
      (s->sig[i] < 0 ? 0x80000000u : 0) | (uint32_t)s->exp[i] << 23 | ((uint32_t)m & 1023u) << 13;
  memcpy(&value, &bits, 4);
  return value;
}

static uint32_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

static float bits_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

static void matmul_fast(const Source *a, const Source *b, uint32_t *dst) {
  static _Thread_local float x[TILE], y[TILE];
  for (int i = 0; i < TILE; ++i) x[i] = source_value(a, i), y[i] = source_value(b, i);
  for (int i = 0; i < 32; ++i) {
    float row[32];
    for (int j = 0; j < 32; ++j) row[j] = bits_float(dst[i * 32 + j]);
    for (int k = 0; k < 32; ++k)
      for (int j = 0; j < 32; ++j) row[j] += x[i * 32 + k] * y[k * 32 + j];
    for (int j = 0; j < 32; ++j) dst[i * 32 + j] = float_bits(row[j]);
  }
}

/* DST += in0 . in1, where in0 feeds source B and in1 source A. */
void emu_matmul(const Source *in0, const Source *in1, int phases, DstMode mode, uint32_t *dst) {
  static _Thread_local int16_t a[32][32], ea[32][32], b[32][32], eb[32][32]; /* a: by column */
  if (mode.fast) {
    matmul_fast(in0, in1, dst);
    return;
  }
  for (int i = 0; i < 32; ++i)
    for (int k = 0; k < 32; ++k) {
      ea[i][k] = in1->exp[k * 32 + i];
      eb[i][k] = in0->exp[i * 32 + k];
    }
  for (int p = 0; p < phases; ++p) {
    for (int i = 0; i < 32; ++i)
      for (int k = 0; k < 32; ++k) {
        a[i][k] = (int16_t)part_of_a(in1->sig[k * 32 + i], p);
        b[i][k] = (int16_t)part_of_b(in0->sig[i * 32 + k], p);
      }
    int shift = phase_shift(p);
    for (int i = 0; i < 32; ++i)
      for (int j = 0; j < 32; ++j)
        for (int k = 0; k < 32; k += 16) {
          Term s0 = lane_sum(&a[j][k], &ea[j][k], &b[i][k], &eb[i][k], shift),
               s1 = lane_sum(&a[j][k + 8], &ea[j][k + 8], &b[i][k + 8], &eb[i][k + 8], shift);
          dst[i * 32 + j] = accumulate(dst[i * 32 + j], s0, s1, mode);
        }
  }
}

/*===- Elementwise ----------------------------------------------------------------------===*/

static uint32_t add(int sa, int ea, int sb, int eb, DstMode mode) {
  if (ea < eb) {
    int s = sa, e = ea;
    sa = sb, ea = eb, sb = s, eb = e;
  }
  int d = ea - eb, m = sb < 0 ? -sb : sb;
  if (d > 0) m = d >= 12 ? 0 : (m + (1 << (d - 1))) >> d;
  Term sum = {(sa + (sb < 0 ? -m : m)) * 8192, ea};
  return accumulate(0, sum, (Term){0, 0}, mode);
}

static uint32_t multiply(int sa, int ea, int sb, int eb, int phases, DstMode mode, uint32_t dst) {
  for (int p = 0; p < phases; ++p) {
    int product = part_of_a(sa, p) * part_of_b(sb, p);
    int32_t exp = ea && eb ? ea + eb - 127 - phase_shift(p) : 0;
    if (exp <= 0) product = exp = 0; /* the term underflows */
    Term term = {product * 8192, exp};
    dst = accumulate(dst, term, (Term){0, 0}, mode);
  }
  return dst;
}

void emu_binary(ttemu_binary op, const Source *a, const Source *b, int phases, DstMode mode,
                uint32_t *dst) {
  for (int i = 0; i < TILE; ++i) {
    if (op == TTEMU_MUL)
      dst[i] = multiply(a->sig[i], a->exp[i], b->sig[i], b->exp[i], phases, mode, dst[i]);
    else
      dst[i] = add(a->sig[i], a->exp[i], op == TTEMU_SUB ? -b->sig[i] : b->sig[i], b->exp[i], mode);
  }
}
