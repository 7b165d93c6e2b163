/*===- integer_division.c - quotients of integers by constants ---------------------------------===
 *
 *   x / 8, x % 8, x not below zero     x >> 3, x & 7
 *   x / c, 0 <= x < 2^22               fptoui((float(x) + 0.5) * (1 / c)), exactly: the sum is at
 * least 0.5 / c away from an integer, and the product off by less x / c   q = int(float(x) / c), r
 * = x - q c, once more of r, and then one more or one less where r is not within [0, c)
 *
 * Quotients that go towards zero, or up, are one more than that where something is left (and x is
 * below zero).
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/integer_division.h"

#include "Support/text.h"
#include "Transforms/Raise/inline_text.h"
#include "Transforms/Raise/integer_bounds.h"

#include <inttypes.h>

enum { LARGEST_DIVISOR = 1 << 28, LARGEST_IN_ONE = 1 << 22 };

static const TtDivision divisions[] = {
    {"arith.divsi", false, false, TT_TO_ZERO},   {"arith.divui", false, true, TT_DOWN},
    {"arith.remsi", true, false, TT_TO_ZERO},    {"arith.remui", true, true, TT_DOWN},
    {"arith.floordivsi", false, false, TT_DOWN}, {"arith.ceildivsi", false, false, TT_UP},
    {"arith.ceildivui", false, true, TT_UP},
};

static const TtDivision *division_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof divisions / sizeof *divisions; ++i)
    if (tt_op_is(op, divisions[i].op)) return &divisions[i];
  return NULL;
}

bool tt_division_of(MlirOperation op) { return division_of(op) != NULL; }

static bool is_power_of_two(int64_t c) { return (c & (c - 1)) == 0; }

/* %q and %r of %a, which is not below zero, or has no sign, by a power of two. */
static void by_bits(TtText *t, int64_t c) {
  int shift = 0;
  while (INT64_C(1) << shift < c) ++shift;
  tt_text_printf(t, " %%k = arith.constant %d : i32\n %%q = arith.shrui %%a, %%k : i32\n", shift);
  tt_text_printf(t, " %%m = arith.constant %" PRId64 " : i32\n %%r = arith.andi %%a, %%m : i32\n",
                 c - 1);
}

static void small(TtText *t, int64_t c) {
  tt_text_printf(t,
                 " %%half = arith.constant 0.5 : f32\n %%inv = arith.constant %.17e : f32\n"
                 " %%f = arith.sitofp %%a : i32 to f32\n %%g = arith.addf %%f, %%half : f32\n"
                 " %%h = arith.mulf %%g, %%inv : f32\n %%q = arith.fptosi %%h : f32 to i32\n"
                 " %%c = arith.constant %" PRId64 " : i32\n %%p = arith.muli %%q, %%c : i32\n"
                 " %%r = arith.subi %%a, %%p : i32\n",
                 1.0 / (double)c, c);
}

static void large(TtText *t, int64_t c, bool is_unsigned) {
  tt_text_printf(t,
                 " %%inv = arith.constant %.17e : f32\n %%c = arith.constant %" PRId64 " : i32\n"
                 " %%f0 = arith.%s %%a : i32 to f32\n %%g0 = arith.mulf %%f0, %%inv : f32\n"
                 " %%q0 = arith.fptosi %%g0 : f32 to i32\n %%p0 = arith.muli %%q0, %%c : i32\n"
                 " %%r0 = arith.subi %%a, %%p0 : i32\n"
                 " %%f1 = arith.sitofp %%r0 : i32 to f32\n %%g1 = arith.mulf %%f1, %%inv : f32\n"
                 " %%d1 = arith.fptosi %%g1 : f32 to i32\n %%p1 = arith.muli %%d1, %%c : i32\n"
                 " %%q1 = arith.addi %%q0, %%d1 : i32\n %%r1 = arith.subi %%r0, %%p1 : i32\n",
                 1.0 / (double)c, c, is_unsigned ? "uitofp" : "sitofp");
  tt_text_printf(
      t, " %%sign = arith.constant 31 : i32\n %%under = arith.shrui %%r1, %%sign : i32\n"
         " %%up = arith.muli %%under, %%c : i32\n %%r2 = arith.addi %%r1, %%up : i32\n"
         " %%q2 = arith.subi %%q1, %%under : i32\n %%t = arith.subi %%r2, %%c : i32\n"
         " %%within = arith.shrui %%t, %%sign : i32\n %%back = arith.muli %%within, %%c : i32\n"
         " %%r = arith.addi %%t, %%back : i32\n %%one = arith.constant 1 : i32\n"
         " %%q3 = arith.subi %%q2, %%within : i32\n %%q = arith.addi %%q3, %%one : i32\n");
}

/* One more, where something is left: the sign of -r says so. */
static void round_up(TtText *t, int64_t c, bool if_negative) {
  tt_text_printf(t,
                 " %%none = arith.constant 0 : i32\n %%high = arith.constant 31 : i32\n"
                 " %%by = arith.constant %" PRId64 " : i32\n %%mr = arith.subi %%none, %%r : i32\n"
                 " %%left = arith.shrui %%mr, %%high : i32\n",
                 c);
  if (if_negative)
    tt_text_printf(
        t, " %%neg = arith.shrui %%a, %%high : i32\n %%more = arith.andi %%left, %%neg : i32\n");
  const char *more = if_negative ? "more" : "left";
  tt_text_printf(t,
                 " %%qu = arith.addi %%q, %%%s : i32\n %%less = arith.muli %%%s, %%by : i32\n"
                 " %%ru = arith.subi %%r, %%less : i32\n",
                 more, more);
}

static void write_text(TtText *t, const TtDivision *d, unsigned width, int64_t c, TtBounds x) {
  bool positive = x.lo >= 0, minus = c < 0,
       up = d->rounds == TT_UP || (d->rounds == TT_TO_ZERO && !positive);
  int64_t by = minus ? -c : c;
  tt_text_printf(t, "func.func @f(%%%s: i%u, %%y: i%u) -> i%u {\n", width < 32 ? "x" : "a", width,
                 width, width);
  if (width < 32)
    tt_text_printf(t, " %%a = arith.%s %%x : i%u to i32\n", d->is_unsigned ? "extui" : "extsi",
                   width);
  if (is_power_of_two(by) && (positive || d->is_unsigned)) by_bits(t, by);
  else if (positive && x.hi < LARGEST_IN_ONE) small(t, by);
  else large(t, by, d->is_unsigned && width == 32);
  if (up) round_up(t, by, d->rounds == TT_TO_ZERO);
  const char *q = up ? "qu" : "q", *r = up ? "ru" : "r", *result = d->rest ? r : q;
  if (minus && !d->rest) {
    tt_text_printf(t, " %%n = arith.constant 0 : i32\n %%mq = arith.subi %%n, %%%s : i32\n", q);
    result = "mq";
  }
  if (width < 32) {
    tt_text_printf(t, " %%cut = arith.trunci %%%s : i32 to i%u\n", result, width);
    result = "cut";
  }
  tt_text_printf(t, " return %%%s : i%u\n}\n", result, width);
}

bool tt_expand_division(TtArena *arena, MlirOperation linalg, MlirOperation op) {
  const TtDivision *d = division_of(op);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t c;
  if (!d || !mlirTypeIsAInteger(type)) return false;
  unsigned width = mlirIntegerTypeGetWidth(type);
  if (width != 8 && width != 16 && width != 32) return false;
  if (!tt_constant(mlirOperationGetOperand(op, 1), &c))
    return tt_expand_quotient(arena, linalg, op, d);
  if (d->is_unsigned) c &= (INT64_C(1) << width) - 1;
  bool turns = c < 0 && d->rounds != TT_TO_ZERO; /* rounds the other way */
  if (c == 0) return false;
  if (turns || c > LARGEST_DIVISOR || c < -LARGEST_DIVISOR)
    return tt_expand_quotient(arena, linalg, op, d);
  TtBounds x = {-1, 0};
  if (!tt_integer_bounds(linalg, mlirOperationGetOperand(op, 0), &x)) x = (TtBounds){-1, 0};
  if (d->is_unsigned && width < 32 && x.lo < 0) x = (TtBounds){0, (INT64_C(1) << width) - 1};
  TtText text = {NULL, 0, 0};
  write_text(&text, d, width, c, x);
  bool ok = tt_inline_text(arena, op, text.data);
  tt_text_free(&text);
  return ok;
}
