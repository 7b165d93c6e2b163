/*===- integer_quotient.c - quotients of integers by integers ----------------------------------===
 *
 *   x / y, both of at most 16 bits or so         int((float(|x|) + 0.5) / float(|y|)), exactly
 *   x / y of 32 bits                             h = |x| / 2, q = int(float(h) / float(|y|)), then
 *                                                the same of what is left, h - q |y|, which makes q
 *                                                right but for one; twice of it, and of what is
 *                                                left, is x's, but for one
 *
 * A quotient of floats is off by 2^-20 of it at most (docs/accuracy.md). So the first one is right
 * where |x| < 2^19: the sum is at least 0.5 / |y| away from an integer. Of the second, what is left
 * after the first step is between -2^11 and |y| + 2^11, after the next one within |y| of 0: h has
 * 31 bits so that these fit as well, and divisors of 32 bits go once or never.
 *
 * Quotients of magnitudes are rounded towards zero; sign and rounding are put right behind.
 *
 *===----------------------------------------------------------------------===*/

#include "Support/text.h"
#include "Transforms/Raise/inline_text.h"
#include "Transforms/Raise/integer_bounds.h"
#include "Transforms/Raise/integer_division.h"

#include <inttypes.h>

enum { LARGEST_IN_ONE = 1 << 19 };

typedef struct Terms {
  bool small;   /* both magnitudes are less than LARGEST_IN_ONE */
  bool sign[2]; /* of dividend and divisor: it may be below zero, and counts */
} Terms;

/* %a = |%xa| and its sign %sa, all bits of which are alike; likewise %b. */
static void magnitude(TtText *t, char name, bool sign) {
  if (!sign) return; /* it is %a already */
  tt_text_printf(t,
                 " %%s%c = arith.shrsi %%x%c, %%high : i32\n"
                 " %%f%c = arith.xori %%x%c, %%s%c : i32\n %%%c = arith.subi %%f%c, %%s%c : i32\n",
                 name, name, name, name, name, name, name, name);
}

/* %q and %r of %a by %b, in one step. */
static void in_one(TtText *t) {
  tt_text_printf(t, " %%half = arith.constant 0.5 : f32\n"
                    " %%fx = arith.sitofp %%a : i32 to f32\n %%fh = arith.addf %%fx, %%half : f32\n"
                    " %%fy = arith.sitofp %%b : i32 to f32\n %%fq = arith.divf %%fh, %%fy : f32\n"
                    " %%q = arith.fptosi %%fq : f32 to i32\n %%p = arith.muli %%q, %%b : i32\n"
                    " %%r = arith.subi %%a, %%p : i32\n");
}

/* %q and %r of %a by %b, of all of their 32 bits. */
static void in_steps(TtText *t) {
  tt_text_printf(t, " %%h = arith.shrui %%a, %%one : i32\n"
                    " %%fy = arith.uitofp %%b : i32 to f32\n"
                    " %%f0 = arith.sitofp %%h : i32 to f32\n %%g0 = arith.divf %%f0, %%fy : f32\n"
                    " %%q0 = arith.fptosi %%g0 : f32 to i32\n %%p0 = arith.muli %%q0, %%b : i32\n"
                    " %%r0 = arith.subi %%h, %%p0 : i32\n"
                    " %%f1 = arith.sitofp %%r0 : i32 to f32\n %%g1 = arith.divf %%f1, %%fy : f32\n"
                    " %%d1 = arith.fptosi %%g1 : f32 to i32\n %%p1 = arith.muli %%d1, %%b : i32\n"
                    " %%q1 = arith.addi %%q0, %%d1 : i32\n %%r1 = arith.subi %%r0, %%p1 : i32\n"
                    " %%under = arith.shrui %%r1, %%high : i32\n"
                    " %%up = arith.muli %%under, %%b : i32\n %%r2 = arith.addi %%r1, %%up : i32\n"
                    " %%q2 = arith.subi %%q1, %%under : i32\n");
  /* One more where it still fits, of h and then of a = 2 h + its last bit. */
  tt_text_printf(t, " %%c3 = arith.cmpi uge, %%r2, %%b : i32\n"
                    " %%o3 = arith.extui %%c3 : i1 to i32\n %%p3 = arith.muli %%o3, %%b : i32\n"
                    " %%q3 = arith.addi %%q2, %%o3 : i32\n %%r3 = arith.subi %%r2, %%p3 : i32\n"
                    " %%last = arith.andi %%a, %%one : i32\n"
                    " %%r4 = arith.shli %%r3, %%one : i32\n %%q4 = arith.shli %%q3, %%one : i32\n"
                    " %%r5 = arith.ori %%r4, %%last : i32\n"
                    " %%c6 = arith.cmpi uge, %%r5, %%b : i32\n"
                    " %%o6 = arith.extui %%c6 : i1 to i32\n %%p6 = arith.muli %%o6, %%b : i32\n"
                    " %%q7 = arith.addi %%q4, %%o6 : i32\n %%r7 = arith.subi %%r5, %%p6 : i32\n");
  /* By 2^31 and more: once or never. */
  tt_text_printf(t, " %%c8 = arith.cmpi uge, %%a, %%b : i32\n"
                    " %%o8 = arith.extui %%c8 : i1 to i32\n %%p8 = arith.muli %%o8, %%b : i32\n"
                    " %%r8 = arith.subi %%a, %%p8 : i32\n"
                    " %%big = arith.cmpi slt, %%b, %%zero : i32\n"
                    " %%q = arith.select %%big, %%o8, %%q7 : i32\n"
                    " %%r = arith.select %%big, %%r8, %%r7 : i32\n");
}

/* One more, or less, where something is left: sign and rounding. */
static const char *finish(TtText *t, const TtDivision *d, const Terms *terms) {
  if (d->rest) {
    if (!terms->sign[0]) return "r";
    tt_text_printf(t, " %%re = arith.xori %%r, %%sa : i32\n %%rs = arith.subi %%re, %%sa : i32\n");
    return "rs";
  }
  bool both = terms->sign[0] && terms->sign[1], any = terms->sign[0] || terms->sign[1];
  const char *q = "q", *s = both ? "s" : terms->sign[0] ? "sa" : "sb";
  if (both) tt_text_printf(t, " %%s = arith.xori %%sa, %%sb : i32\n");
  if (d->rounds == TT_UP || (d->rounds == TT_DOWN && any)) { /* away from zero, of that sign */
    tt_text_printf(t, " %%cl = arith.cmpi ne, %%r, %%zero : i32\n"
                      " %%left = arith.extui %%cl : i1 to i32\n");
    if (any && d->rounds == TT_DOWN)
      tt_text_printf(t, " %%more = arith.andi %%left, %%%s : i32\n", s);
    else if (any)
      tt_text_printf(t,
                     " %%all = arith.constant -1 : i32\n %%ns = arith.xori %%%s, %%all : i32\n"
                     " %%more = arith.andi %%left, %%ns : i32\n",
                     s);
    tt_text_printf(t, " %%qr = arith.addi %%q, %%%s : i32\n", any ? "more" : "left");
    q = "qr";
  }
  if (!any) return q;
  tt_text_printf(t, " %%qe = arith.xori %%%s, %%%s : i32\n %%qs = arith.subi %%qe, %%%s : i32\n", q,
                 s, s);
  return "qs";
}

static void write_text(TtText *t, const TtDivision *d, unsigned width, const Terms *terms) {
  const char *name[2]; /* as the magnitude, or what it is made of */
  for (int i = 0; i < 2; ++i)
    name[i] = i ? (terms->sign[i] ? "xb" : "b") : terms->sign[i] ? "xa" : "a";
  bool cut = width < 32;
  tt_text_printf(t, "func.func @f(%%%s: i%u, %%%s: i%u) -> i%u {\n", cut ? "x" : name[0], width,
                 cut ? "y" : name[1], width, width);
  tt_text_printf(t, " %%zero = arith.constant 0 : i32\n %%one = arith.constant 1 : i32\n"
                    " %%high = arith.constant 31 : i32\n");
  for (int i = 0; i < 2; ++i) {
    if (cut)
      tt_text_printf(t, " %%%s = arith.%s %%%c : i%u to i32\n", name[i],
                     d->is_unsigned ? "extui" : "extsi", "xy"[i], width);
    magnitude(t, "ab"[i], terms->sign[i]);
  }
  if (terms->small) in_one(t);
  else in_steps(t);
  const char *result = finish(t, d, terms);
  if (cut) tt_text_printf(t, " %%cut = arith.trunci %%%s : i32 to i%u\n", result, width);
  tt_text_printf(t, " return %%%s : i%u\n}\n", cut ? "cut" : result, width);
}

/* What operand `i` may be, as the division takes it. */
static TtBounds bounds_of(MlirOperation linalg, MlirOperation op, int i, unsigned width,
                          bool is_unsigned) {
  TtBounds all = {is_unsigned ? 0 : -(INT64_C(1) << (width - 1)),
                  (INT64_C(1) << (is_unsigned ? width : width - 1)) - 1},
           known;
  if (!tt_integer_bounds(linalg, mlirOperationGetOperand(op, i), &known)) return all;
  return known.lo >= all.lo && known.hi <= all.hi ? known : all;
}

bool tt_expand_quotient(TtArena *arena, MlirOperation linalg, MlirOperation op,
                        const TtDivision *d) {
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(mlirOperationGetResult(op, 0)));
  Terms terms = {.small = true};
  for (int i = 0; i < 2; ++i) {
    TtBounds bounds = bounds_of(linalg, op, i, width, d->is_unsigned);
    terms.small &= bounds.lo > -LARGEST_IN_ONE && bounds.hi < LARGEST_IN_ONE;
    terms.sign[i] = bounds.lo < 0;
  }
  TtText text = {NULL, 0, 0};
  write_text(&text, d, width, &terms);
  bool ok = tt_inline_text(arena, op, text.data);
  tt_text_free(&text);
  return ok;
}
