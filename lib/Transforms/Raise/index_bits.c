/*===- index_bits.c - shifts and ops on bits of indices ---------------------------------------===
 *
 *   x << 5, x & 7          x * 32, x % 8
 *   x ^ y, below 4         (x + y) % 2 + 2 ((x / 2 + y / 2) % 2)
 *   1 << k, k below 4      1 + [k >= 1] + 2 [k >= 2] + 4 [k >= 3],  [k >= j] = min(k / j, 1)
 *   x << k, x up to X      x + min(x, X [k >= 1]) + 2 min(x, X [k >= 2]) + …
 *   x >> k                 x less the same of x - x / 2, x / 2 - x / 4, …
 *
 * Of indices that change, ranges have to say how large they are: a bit more is another term, which
 * data movement computes for each block.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/index_bits.h"

/* Bits of indices that both change; the largest number of bits that one is moved by. */
enum { MOST_BITS = 12, MOST_MOVED = 16 };

/* x & mask, a run of bits at a time. */
static MlirValue masked(TtBuilder *b, MlirLocation loc, MlirValue x, uint64_t mask) {
  MlirValue sum = tt_index(b, loc, 0);
  for (int low = 0; low < 62;) {
    if (!(mask >> low & 1)) {
      ++low;
      continue;
    }
    int high = low;
    while (high < 62 && (mask >> high & 1)) ++high;
    MlirValue bits = tt_div(b, loc, x, tt_index(b, loc, INT64_C(1) << low));
    if (high < 62) bits = tt_rem(b, loc, bits, tt_index(b, loc, INT64_C(1) << (high - low)));
    sum = tt_add(b, loc, sum, tt_mul(b, loc, bits, tt_index(b, loc, INT64_C(1) << low)));
    low = high;
  }
  return sum;
}

/* What a shift or an op on bits with a constant is, or null. */
static MlirValue without_bits(TtBuilder *b, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  int64_t c;
  bool left = tt_op_is(op, "arith.shli"),
       right = tt_op_is(op, "arith.shrui") || tt_op_is(op, "arith.shrsi");
  if (tt_constant(x, &c) && !left && !right) x = y, y = mlirOperationGetOperand(op, 0);
  if (!tt_constant(y, &c) || c < 0 || ((left || right) && c > 31)) return (MlirValue){NULL};
  if (left) return tt_mul(b, loc, x, tt_index(b, loc, INT64_C(1) << c));
  if (right) return tt_div(b, loc, x, tt_index(b, loc, INT64_C(1) << c));
  MlirValue common = masked(b, loc, x, (uint64_t)c);
  if (tt_op_is(op, "arith.andi")) return common;
  if (tt_op_is(op, "arith.xori")) common = tt_mul(b, loc, common, tt_index(b, loc, 2));
  return tt_sub(b, loc, tt_add(b, loc, x, tt_index(b, loc, c)), common);
}

/* min(k / j, 1): whether k is at least j. */
static MlirValue reaches(TtBuilder *b, MlirLocation loc, MlirValue k, int64_t j) {
  return tt_min(b, loc, tt_div(b, loc, k, tt_index(b, loc, j)), tt_index(b, loc, 1));
}

/* x << k or x >> k, where both change, or null. */
static MlirValue moved(TtBuilder *b, MlirOperation op, bool left, const TtBitRanges *ranges) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = mlirOperationGetOperand(op, 0), k = mlirOperationGetOperand(op, 1), sum = x,
            half = x;
  TtIndexRange of = ranges->of[0], by = ranges->of[1];
  int64_t constant;
  bool one = tt_constant(x, &constant);
  if (!ranges->known[0] || !ranges->known[1] || by.least < 0 || by.most > MOST_MOVED ||
      of.least < 0 || of.most >= INT64_C(1) << MOST_MOVED)
    return (MlirValue){NULL};
  for (int64_t j = 1; j <= by.most; ++j) {
    MlirValue there = reaches(b, loc, k, j), less = half, term;
    half = tt_div(b, loc, x, tt_index(b, loc, INT64_C(1) << j));
    if (left) less = x;
    else less = tt_sub(b, loc, less, half);
    term = tt_mul(b, loc, there, tt_index(b, loc, of.most));
    if (!left || !one) term = tt_min(b, loc, less, term);
    if (left) term = tt_mul(b, loc, term, tt_index(b, loc, INT64_C(1) << (j - 1)));
    sum = left ? tt_add(b, loc, sum, term) : tt_sub(b, loc, sum, term);
  }
  return sum;
}

/* Bit `j` of x. */
static MlirValue bit(TtBuilder *b, MlirLocation loc, MlirValue x, int j) {
  MlirValue rest = tt_div(b, loc, x, tt_index(b, loc, INT64_C(1) << j));
  return tt_rem(b, loc, rest, tt_index(b, loc, 2));
}

/* x & y, x | y or x ^ y, where both change, or null. */
static MlirValue of_both(TtBuilder *b, MlirOperation op, const TtBitRanges *ranges) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1),
            sum = tt_index(b, loc, 0);
  TtIndexRange rx = ranges->of[0], ry = ranges->of[1];
  if (!ranges->known[0] || !ranges->known[1] || rx.least < 0 || ry.least < 0)
    return (MlirValue){NULL};
  bool larger = rx.most > ry.most; /* whose bits above those of the other are as they are */
  int64_t most = larger ? rx.most : ry.most, least = larger ? ry.most : rx.most;
  if (most >> MOST_BITS) return (MlirValue){NULL};
  bool both = tt_op_is(op, "arith.andi"), either = tt_op_is(op, "arith.ori");
  int j = 0;
  for (; least >> j; ++j) {
    MlirValue p = bit(b, loc, x, j), q = bit(b, loc, y, j), n = tt_add(b, loc, p, q), term;
    if (both) term = tt_min(b, loc, p, q);
    else if (either) term = tt_min(b, loc, n, tt_index(b, loc, 1));
    else term = tt_rem(b, loc, n, tt_index(b, loc, 2));
    sum = tt_add(b, loc, sum, tt_mul(b, loc, term, tt_index(b, loc, INT64_C(1) << j)));
  }
  if (both || most >> j == 0) return sum;
  MlirValue by = tt_index(b, loc, INT64_C(1) << j);
  return tt_add(b, loc, sum, tt_mul(b, loc, tt_div(b, loc, larger ? x : y, by), by));
}

static const char *const names[] = {"arith.shli", "arith.shrui", "arith.shrsi",
                                    "arith.andi", "arith.ori",   "arith.xori"};

TtBitRanges tt_bit_ranges(TtArena *arena, MlirOperation op) {
  TtBitRanges ranges = {.known = {false, false}};
  bool bits = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) bits |= tt_op_is(op, names[i]);
  for (intptr_t i = 0; bits && i < 2; ++i)
    ranges.known[i] = tt_index_range(arena, mlirOperationGetOperand(op, i), &ranges.of[i]);
  return ranges;
}

bool tt_expand_bits(TtArena *arena, MlirOperation op, const TtBitRanges *ranges) {
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!tt_op_is(op, names[i])) continue;
    TtBuilder b = tt_builder_before(op);
    MlirValue value = without_bits(&b, op);
    TtBitRanges now = tt_bit_ranges(arena, op);
    for (int k = 0; k < 2; ++k)
      if (ranges->known[k]) now.known[k] = true, now.of[k] = ranges->of[k];
    if (tt_is_null_value(value))
      value = i < 3 ? moved(&b, op, i == 0, &now) : of_both(&b, op, &now);
    if (tt_is_null_value(value) && i < 3)
      return tt_error(
          op,
          "%s of an index by a number of bits that changes, of which loops and ranges do "
          "not say that it is at most %d, and the index less than 2^%d; let the loop go "
          "over the powers of two themselves, or write its steps out",
          names[i], MOST_MOVED, MOST_MOVED);
    if (tt_is_null_value(value))
      return tt_error(op,
                      "%s of two indices that both change, of which loops and ranges do not say "
                      "that they have at most %d bits; one of them must be a constant, or "
                      "tt.range say how large they are",
                      names[i], MOST_BITS);
    tt_replace(op, value);
    return true;
  }
  return true;
}
