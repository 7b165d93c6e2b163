/*===- fpu.c - products and sums as the matrix engine rounds them ----------------------------===
 *
 * Sources have 11 bits of significand. A fidelity phase multiplies 5 bits of A by
 * 7 bits of B; products of eight lanes are aligned to the largest exponent and
 * added; two such sums are accumulated into DST in fixed point, and the result is
 * rounded at every step: half away from zero, to 24 bits or, in 16-bit DST, to 8, or 11
 * where it holds fp16. With that, an exponent below those of fp16 is zero, one above
 * saturates, and in fp32 DST a product of zero takes part with the exponent that fp16's
 * zero has.
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

/* The largest exponent that is no more than zero's. */
static int32_t lowest_exp(DstMode mode) { return mode.five && !mode.wide ? 112 : 0; }

/* The exponent of a product of zero, `shift` bits down. */
static int32_t zero_exp(DstMode mode, int shift) { return mode.five && mode.wide ? 97 - shift : 0; }

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
  if (!mode.wide) m = (m + 0x1000 - bias) & ~(int64_t)0x1fff;
  return negative ? -m : m;
}

static uint32_t normalize(int64_t sum, int32_t e, DstMode mode) {
  if (sum == 0) return 0;
  uint64_t m = (uint64_t)(sum < 0 ? -sum : sum);
  uint32_t sign = sum < 0 ? 0x80000000u : 0;
  int top = 63 - __builtin_clzll(m);
  if (mode.wormhole && sum == -1) top = 27; /* the chip normalizes it as if its top bit were here */
  int32_t exp = e + top - 23;
  int bits = mode.wide ? 24 : mode.five ? 11 : 8;
  int drop = top - (bits - 1);
  if (drop > 0) {
    m = (m + (UINT64_C(1) << (drop - 1))) >> drop;
    if (m >> bits) m >>= 1, ++exp;
    m <<= 24 - bits;
  } else {
    m <<= 23 - top;
  }
  if (exp <= lowest_exp(mode)) return 0;
  if (mode.five && !mode.wide && exp >= 144) return sign | 143u << 23 | 0x7fe000u;
  if (exp >= 255) return sign | 0x7f800000u;
  return sign | (uint32_t)exp << 23 | ((uint32_t)m & 0x7fffffu);
}

static uint32_t accumulate(uint32_t dst, Term s0, Term s1, DstMode mode) {
  Term d = term_of_dst(dst);
  int32_t e = d.exp > s0.exp ? d.exp : s0.exp;
  if (s1.exp > e) e = s1.exp;
  if (e <= lowest_exp(mode)) return 0;
  return normalize(align_term(d, e, false, mode) + align_term(s0, e, true, mode) +
                       align_term(s1, e, true, mode),
                   e, mode);
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
                            const int16_t *eb, int shift, DstMode mode) {
  int32_t product[8], exp[8], top, sum = 0, zero = zero_exp(mode, shift);
  for (int i = 0; i < 8; ++i) {
    product[i] = a[i] * b[i];
    exp[i] = ea[i] && eb[i] ? ea[i] + eb[i] - 127 - shift : zero;
  }
  top = exp[0];
  for (int i = 1; i < 8; ++i) top = exp[i] > top ? exp[i] : top;
  if (top <= lowest_exp(mode)) return (Term){0, 0}; /* all underflow */
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

void emu_matmul(const Source *in0, const Source *in1, int phases, DstMode mode, uint32_t *dst) {
  if (mode.fast) matmul_fast(in0, in1, dst);
  else emu_matmul_exact(in0, in1, phases, mode, dst);
}

/* A phase takes the upper or the lower bits of each operand: 3 and 5 of what becomes source A, 6
 * and 4 of what becomes source B. A sum stays in 32 bits. */
static int product_of_bytes(int a, int b, int phase) {
  enum { LOW_OF_A = 0x1f, LOW_OF_B = 0xf };
  int m = (a < 0 ? -a : a) & (phase & 1 ? LOW_OF_A : ~LOW_OF_A),
      n = (b < 0 ? -b : b) & (phase & 2 ? LOW_OF_B : ~LOW_OF_B);
  return (a < 0) != (b < 0) ? -m * n : m * n;
}

static uint32_t saturated(int64_t sum) {
  return (uint32_t)(int32_t)(sum > INT32_MAX ? INT32_MAX : sum < -INT32_MAX ? -INT32_MAX : sum);
}

void emu_matmul_bytes(const Source *in0, const Source *in1, int phases, uint32_t *dst) {
  enum { STEP = 16 };
  for (int p = 0; p < phases; ++p)
    for (int at = 0; at < TILE; ++at)
      for (int k = 0; k < 32; k += STEP) {
        int64_t sum = (int32_t)dst[at];
        for (int i = k; i < k + STEP; ++i)
          sum += product_of_bytes(in1->sig[i * 32 + at % 32], in0->sig[at / 32 * 32 + i], p);
        dst[at] = saturated(sum);
      }
}

/*===- Elementwise ----------------------------------------------------------------------===*/

static uint32_t add(int sa, int ea, int sb, int eb, DstMode mode, uint32_t dst) {
  if (ea < eb) {
    int s = sa, e = ea;
    sa = sb, ea = eb, sb = s, eb = e;
  }
  int d = ea - eb, m = sb < 0 ? -sb : sb;
  if (d > 0) m = d >= 12 ? 0 : (m + (1 << (d - 1))) >> d;
  Term sum = {(sa + (sb < 0 ? -m : m)) * 8192, ea ? ea : zero_exp(mode, 0)};
  return accumulate(dst, sum, (Term){0, 0}, mode);
}

static uint32_t multiply(int sa, int ea, int sb, int eb, int phases, DstMode mode, uint32_t dst) {
  for (int p = 0; p < phases; ++p) {
    int product = part_of_a(sa, p) * part_of_b(sb, p);
    int32_t zero = zero_exp(mode, phase_shift(p));
    int32_t exp = ea && eb ? ea + eb - 127 - phase_shift(p) : zero;
    if (exp <= lowest_exp(mode)) product = 0, exp = zero; /* the term underflows */
    Term term = {product * 8192, exp};
    dst = accumulate(dst, term, (Term){0, 0}, mode);
  }
  return dst;
}

void emu_binary(ttemu_binary op, const Source *a, const Source *b, int phases, DstMode mode,
                bool onto, uint32_t *dst) {
  for (int i = 0; i < TILE; ++i) {
    if (op == TTEMU_MUL)
      dst[i] = multiply(a->sig[i], a->exp[i], b->sig[i], b->exp[i], phases, mode, dst[i]);
    else
      dst[i] = add(a->sig[i], a->exp[i], op == TTEMU_SUB ? -b->sig[i] : b->sig[i], b->exp[i], mode,
                   onto ? dst[i] : 0);
  }
}

void emu_binary_bytes(ttemu_binary op, const Source *a, const Source *b, int phases, bool onto,
                      uint32_t *dst) {
  for (int i = 0; i < TILE; ++i) {
    int64_t sum = op == TTEMU_MUL || onto ? (int32_t)dst[i] : 0;
    if (op == TTEMU_MUL)
      for (int p = 0; p < phases; ++p)
        sum = (int32_t)saturated(sum + product_of_bytes(a->sig[i], b->sig[i], p));
    else sum += a->sig[i] + (op == TTEMU_SUB ? -b->sig[i] : b->sig[i]);
    dst[i] = saturated(sum);
  }
}

/*===- Broadcasts and transposes --------------------------------------------------------===*/

void emu_broadcast(ttemu_bcast shape, uint32_t row, Source *s) {
  if (shape == TTEMU_BCAST_NONE) return;
  Source from = *s;
  for (int i = 0; i < TILE; ++i) {
    int at = shape == TTEMU_BCAST_ROW   ? (int)row * 32 + i % 32
             : shape == TTEMU_BCAST_COL ? i / 32 * 32
                                        : 0;
    s->sig[i] = from.sig[at], s->exp[i] = from.exp[at];
  }
}

void emu_transpose(Source *s) {
  Source from = *s;
  for (int i = 0; i < TILE; ++i) {
    int at = i % 32 * 32 + i / 32;
    s->sig[i] = from.sig[at], s->exp[i] = from.exp[at];
  }
}

void emu_transpose_bits(uint32_t *tile) {
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < i; ++j) {
      uint32_t other = tile[i * 32 + j];
      tile[i * 32 + j] = tile[j * 32 + i];
      tile[j * 32 + i] = other;
    }
}

void emu_broadcast_bits(ttemu_bcast shape, uint32_t *tile) {
  if (shape == TTEMU_BCAST_NONE) return;
  for (int i = TILE - 1; i >= 0; --i)
    tile[i] = tile[shape == TTEMU_BCAST_ROW ? i % 32 : shape == TTEMU_BCAST_COL ? i / 32 * 32 : 0];
}

/* A tile of DST, back in a source register: truncated to bf16, but that fp16 stays. */
void emu_source_of_dst(const uint32_t *dst, DstMode mode, Source *s) {
  uint32_t kept = mode.five && !mode.wide ? 0x3ffu : 0x3f8u;
  for (int i = 0; i < TILE; ++i) {
    s->exp[i] = (uint8_t)(dst[i] >> 23 & 255);
    int sig = s->exp[i] ? (int)(0x400u | (dst[i] >> 13 & kept)) : 0;
    s->sig[i] = (int16_t)(dst[i] >> 31 ? -sig : sig);
  }
}

/*===- Reductions -----------------------------------------------------------------------===*/

/* dst += the dot product of sixteen lanes, all phases. Lane k is at first + k * step. */
static uint32_t dot16(const Source *a, int first, int step, const Source *scaler, int phases,
                      DstMode mode, uint32_t dst) {
  int16_t pa[16], pb[16], ea[16], eb[16];
  for (int p = 0; p < phases; ++p) {
    for (int k = 0; k < 16; ++k) {
      int at = first + k * step;
      pa[k] = (int16_t)part_of_a(a->sig[at], p), ea[k] = a->exp[at];
      pb[k] = (int16_t)part_of_b(scaler->sig[k], p), eb[k] = scaler->exp[k];
    }
    dst = accumulate(dst, lane_sum(pa, ea, pb, eb, phase_shift(p), mode),
                     lane_sum(pa + 8, ea + 8, pb + 8, eb + 8, phase_shift(p), mode), mode);
  }
  return dst;
}

/* Sign and magnitude decide; so do they between zeros. */
static bool less(uint32_t x, uint32_t y) {
  int32_t a = (int32_t)(x & 0x7fffffffu), b = (int32_t)(y & 0x7fffffffu);
  return (x >> 31 ? -a : a) < (y >> 31 ? -b : b);
}

static uint32_t source_bits(const Source *s, int i) { return float_bits(source_value(s, i)); }

static uint32_t largest(const Source *a, int first, int step, uint32_t top) {
  for (int k = 0; k < 16; ++k) {
    uint32_t bits = source_bits(a, first + k * step);
    if (less(top, bits)) top = bits;
  }
  return top;
}

static uint32_t truncate(uint32_t bits, bool tf32) {
  return bits & (tf32 ? 0xffffe000u : 0xffff0000u);
}

/* Sixteen values, back in a source register. */
static Source source_of(const uint32_t *bits, bool tf32) {
  Source s;
  memset(&s, 0, sizeof s);
  for (int k = 0; k < 16; ++k) {
    uint32_t f = truncate(bits[k], tf32);
    s.exp[k] = (uint8_t)(f >> 23 & 255);
    int sig = s.exp[k] ? (int)(0x400u | (f >> 13 & 0x3ffu)) : 0;
    s.sig[k] = (int16_t)(f >> 31 ? -sig : sig);
  }
  return s;
}

typedef struct Reduction {
  const Source *data, *scaler;
  int phases;
  DstMode mode;
  bool max;
} Reduction;

static uint32_t pool(const Reduction *r, const Source *data, int first, int step, uint32_t dst) {
  return r->max ? largest(data, first, step, dst)
                : dot16(data, first, step, r->scaler, r->phases, r->mode, dst);
}

static const uint32_t lowest = 0xff800000u; /* what a maximum starts from */

static void reduce_scalar(const Reduction *r, bool tf32, int faces, uint32_t *dst) {
  uint32_t column[16];
  for (int k = 0; k < 16; ++k) column[k] = r->max ? lowest : 0;
  for (int face = 0; face < faces; ++face)
    for (int c = 0; c < 16; ++c)
      column[c] = pool(r, r->data, face / 2 * 512 + face % 2 * 16 + c, 32, column[c]);
  Source sums = source_of(column, tf32);
  dst[0] = pool(r, &sums, 0, 1, dst[0]);
}

void emu_reduce(ttemu_pool kind, ttemu_reduce_dim dim, const Source *data, const Source *scaler,
                int phases, DstMode mode, bool tf32, bool fresh, int faces, uint32_t *dst) {
  Reduction r = {data, scaler, phases, mode, kind == TTEMU_POOL_MAX};
  tf32 |= mode.five && !mode.wide; /* fp16 has as many bits, and keeps them in a source register */
  for (int i = 0; fresh && r.max && i < TILE; ++i) dst[i] = lowest;
  if (dim == TTEMU_REDUCE_SCALAR) {
    reduce_scalar(&r, tf32, faces, dst);
    return;
  }
  for (int face = 0; face < faces; ++face)
    for (int line = 0; line < 16; ++line) {
      bool row = dim == TTEMU_REDUCE_ROW;
      int r0 = face / 2 * 16, c0 = face % 2 * 16;
      int first = row ? (r0 + line) * 32 + c0 : r0 * 32 + c0 + line;
      uint32_t *to = row ? &dst[(r0 + line) * 32] : &dst[c0 + line];
      *to = pool(&r, data, first, row ? 1 : 32, *to);
    }
  for (int i = 0; dim == TTEMU_REDUCE_ROW && i < (faces > 2 ? 32 : 16); ++i)
    dst[i * 32] = truncate(dst[i * 32], tf32); /* it went through a source register */
}

void emu_reduce_columns(const Source *data, const Source *scaler, int phases, DstMode mode,
                        uint32_t *sums) {
  for (int face = 0; face < 4; ++face)
    for (int c = 0; c < 16; ++c)
      sums[c] = dot16(data, face / 2 * 512 + face % 2 * 16 + c, 32, scaler, phases, mode, sums[c]);
}

uint32_t emu_reduce_row(const Source *data, const Source *scaler, int phases, DstMode mode) {
  return dot16(data, 0, 1, scaler, phases, mode, 0);
}

void emu_mask_reduced(ttemu_reduce_dim dim, uint32_t *tile) {
  for (int i = 0; i < TILE; ++i)
    if ((dim != TTEMU_REDUCE_COL && i % 32 != 0) || (dim != TTEMU_REDUCE_ROW && i / 32 != 0))
      tile[i] = 0;
}
