/*===- expand_math.c - --tt-expand-math -----------------------------------------------------===
 *
 * Functions of numbers that the vector unit has not become what it has.
 *
 *   before  %r = math.round %x : f32
 *   after   %a = math.absf %x    %f = math.floor %a    %d = %a - %f
 *           %u = %f + (%d >= 0.5 ? 1 : 0)    %r = %x < 0 ? -%u : %u
 *
 * What is rounded is exact, since a number and its floor differ by a number of the type. Bits of
 * integers are counted by adding neighbours, of 32 bits:
 *
 *   before  %r = math.ctpop %x : i32
 *   after   %a = %x - ((%x >> 1) & 0x55555555)    %b = (%a & 0x33333333) + ((%a >> 2) & 0x33333333)
 *           %c = (%b + (%b >> 4)) & 0x0F0F0F0F    %r = the sum of the bytes of %c
 *
 * The upper 32 bits of products of 64 are products of halves (wide_products.c), comparisons of
 * flags what is computed with flags (flag_compares.c). Requires nothing.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Raise/flag_compares.h"
#include "Transforms/Raise/inline_text.h"
#include "Transforms/Raise/wide_products.h"

#include <stdlib.h>

/* `text` computes `results` of %x, %y, %z; `$` is their type. */
typedef struct Rule {
  const char *op;
  int operands, results;
  const char *text, *returned;
} Rule;

/* clang-format off */
/* `to` is `from` with the sign of %x. */
#define SIGNED(from, to) \
  "%zero_" to " = arith.constant 0.0 : $\n %below_" to " = arith.cmpf olt, %x, %zero_" to " : $\n " \
  "%minus_" to " = arith.negf %" from " : $\n " \
  "%" to " = arith.select %below_" to ", %minus_" to ", %" from " : $\n "
#define PARTS \
  "%a = math.absf %x : $\n %f = math.floor %a : $\n %d = arith.subf %a, %f : $\n " \
  "%half = arith.constant 0.5 : $\n %one = arith.constant 1.0 : $\n " \
  "%next = arith.addf %f, %one : $\n "

static const Rule rules[] = {
    {"math.round", 1, 1,
     PARTS "%up = arith.cmpf oge, %d, %half : $\n %u = arith.select %up, %next, %f : $\n "
     SIGNED("u", "r"), "%r"},
    {"math.roundeven", 1, 1,
     PARTS "%h = arith.mulf %f, %half : $\n %g = math.floor %h : $\n %odd = arith.cmpf one, %g, %h : $\n "
     "%more = arith.cmpf ogt, %d, %half : $\n %tie = arith.cmpf oeq, %d, %half : $\n "
     "%tied = arith.andi %odd, %tie : i1\n %up = arith.ori %more, %tied : i1\n "
     "%u = arith.select %up, %next, %f : $\n " SIGNED("u", "r"), "%r"},
    {"math.copysign", 2, 1,
     "%a = math.absf %x : $\n %m = arith.negf %a : $\n %zero = arith.constant 0.0 : $\n "
     "%below = arith.cmpf olt, %y, %zero : $\n %r = arith.select %below, %m, %a : $\n ", "%r"},
    {"math.clampf", 3, 1,
     "%l = arith.maximumf %x, %y : $\n %r = arith.minimumf %l, %z : $\n ", "%r"},
    {"math.cbrt", 1, 1,
     "%a = math.absf %x : $\n %third = arith.constant 0.333333343 : $\n %zero = arith.constant 0.0 : $\n "
     "%p = math.powf %a, %third : $\n %none = arith.cmpf oeq, %x, %zero : $\n "
     "%u = arith.select %none, %zero, %p : $\n " SIGNED("u", "r"), "%r"},
    {"math.sincos", 1, 2, "%s = math.sin %x : $\n %c = math.cos %x : $\n ", "%s, %c"},
    /* The quotient may be one off: what is left says so. */
    {"arith.remf", 2, 1,
     "%a = math.absf %x : $\n %b = math.absf %y : $\n %q = arith.divf %a, %b : $\n "
     "%f = math.floor %q : $\n %p = arith.mulf %f, %b : $\n %l = arith.subf %a, %p : $\n "
     "%zero = arith.constant 0.0 : $\n %under = arith.cmpf olt, %l, %zero : $\n "
     "%plus = arith.addf %l, %b : $\n %m = arith.select %under, %plus, %l : $\n "
     "%over = arith.cmpf oge, %m, %b : $\n %minus = arith.subf %m, %b : $\n "
     "%u = arith.select %over, %minus, %m : $\n " SIGNED("u", "r"), "%r"},
    /* %x over %y, turned by half a turn where %y is below zero. */
    {"math.atan2", 2, 1,
     "%q = arith.divf %x, %y : $\n %t = math.atan %q : $\n %zero = arith.constant 0.0 : $\n "
     "%pi = arith.constant 3.14159274 : $\n %quarter = arith.constant 1.57079637 : $\n "
     SIGNED("pi", "turn") SIGNED("quarter", "up")
     "%on = arith.cmpf oeq, %x, %zero : $\n %axis = arith.select %on, %zero, %up : $\n "
     "%left = arith.cmpf olt, %y, %zero : $\n %turned = arith.addf %t, %turn : $\n "
     "%u = arith.select %left, %turned, %t : $\n %flat = arith.cmpf oeq, %y, %zero : $\n "
     "%r = arith.select %flat, %axis, %u : $\n ", "%r"},
};
/* clang-format on */

/* clang-format off */
/* How many bits of `v` are set. */
#define COUNTED(v) \
  "%c1 = arith.constant 1 : i32\n %c2 = arith.constant 2 : i32\n %c4 = arith.constant 4 : i32\n " \
  "%c8 = arith.constant 8 : i32\n %c16 = arith.constant 16 : i32\n " \
  "%m1 = arith.constant 0x55555555 : i32\n %m2 = arith.constant 0x33333333 : i32\n " \
  "%m4 = arith.constant 0x0F0F0F0F : i32\n %m6 = arith.constant 63 : i32\n " \
  "%a0 = arith.shrui %" v ", %c1 : i32\n %a1 = arith.andi %a0, %m1 : i32\n " \
  "%a = arith.subi %" v ", %a1 : i32\n %b0 = arith.andi %a, %m2 : i32\n " \
  "%b1 = arith.shrui %a, %c2 : i32\n %b2 = arith.andi %b1, %m2 : i32\n " \
  "%b = arith.addi %b0, %b2 : i32\n %d0 = arith.shrui %b, %c4 : i32\n " \
  "%d1 = arith.addi %b, %d0 : i32\n %d = arith.andi %d1, %m4 : i32\n " \
  "%e0 = arith.shrui %d, %c8 : i32\n %e = arith.addi %d, %e0 : i32\n " \
  "%f0 = arith.shrui %e, %c16 : i32\n %f = arith.addi %e, %f0 : i32\n " \
  "%n = arith.andi %f, %m6 : i32\n "

/* Of %u, of 32 bits, and %w, how many of them the type has. */
static const Rule counts[] = {
    {"math.ctpop", 1, 1, COUNTED("u"), "%n"},
    /* All bits below the first one are set: the others are left. */
    {"math.ctlz", 1, 1,
     "%s1 = arith.constant 1 : i32\n %x1 = arith.shrui %u, %s1 : i32\n %y1 = arith.ori %u, %x1 : i32\n "
     "%s2 = arith.constant 2 : i32\n %x2 = arith.shrui %y1, %s2 : i32\n %y2 = arith.ori %y1, %x2 : i32\n "
     "%s4 = arith.constant 4 : i32\n %x4 = arith.shrui %y2, %s4 : i32\n %y4 = arith.ori %y2, %x4 : i32\n "
     "%s8 = arith.constant 8 : i32\n %x8 = arith.shrui %y4, %s8 : i32\n %y8 = arith.ori %y4, %x8 : i32\n "
     "%sh = arith.constant 16 : i32\n %xh = arith.shrui %y8, %sh : i32\n %v = arith.ori %y8, %xh : i32\n "
     COUNTED("v") "%r = arith.subi %w, %n : i32\n ", "%r"},
    /* Those below the last one are set in x - 1 and not in x. */
    {"math.cttz", 1, 1,
     "%ones = arith.constant -1 : i32\n %under = arith.addi %u, %ones : i32\n "
     "%not = arith.xori %u, %ones : i32\n %v = arith.andi %not, %under : i32\n "
     COUNTED("v") "%r = arith.minsi %n, %w : i32\n ", "%r"},
};
/* clang-format on */

/*===- Making -------------------------------------------------------------------------------===*/

/* `text` with `type` in the place of each `$`. */
static void append(TtText *out, const char *text, const char *type) {
  for (; *text; ++text)
    if (*text == '$') tt_text_printf(out, "%s", type);
    else tt_text_printf(out, "%c", *text);
}

static bool expand_by(TtArena *arena, MlirOperation op, const Rule *rule) {
  const char *type = tt_type_text(arena, mlirValueGetType(mlirOperationGetOperand(op, 0)));
  TtText text = {NULL, 0, 0};
  tt_text_printf(&text, "func.func @f(");
  for (int i = 0; i < rule->operands; ++i)
    tt_text_printf(&text, "%s%%%c: %s", i ? ", " : "", "xyz"[i], type);
  tt_text_printf(&text, ") -> (%s%s%s) {\n ", type, rule->results > 1 ? ", " : "",
                 rule->results > 1 ? type : "");
  append(&text, rule->text, type);
  tt_text_printf(&text, "return %s : %s%s%s\n}\n", rule->returned, type,
                 rule->results > 1 ? ", " : "", rule->results > 1 ? type : "");
  bool ok = tt_inline_text(arena, op, text.data);
  tt_text_free(&text);
  return ok;
}

/* Bits of an integer, counted in one of 32. */
static bool expand_count(TtArena *arena, MlirOperation op, const Rule *rule) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  if (width != 8 && width != 16 && width != 32)
    return tt_error(op, "counts bits of %s; those of i8, i16 and i32 can be counted, so cast it",
                    tt_type_text(arena, type));
  const char *name = tt_type_text(arena, type);
  TtText text = {NULL, 0, 0};
  tt_text_printf(&text, "func.func @f(%%%s: %s) -> %s {\n %%w = arith.constant %u : i32\n ",
                 width < 32 ? "x" : "u", name, name, width);
  if (width < 32) tt_text_printf(&text, "%%u = arith.extui %%x : %s to i32\n ", name);
  tt_text_printf(&text, "%s", rule->text);
  if (width < 32)
    tt_text_printf(&text, "%%cut = arith.trunci %s : i32 to %s\n ", rule->returned, name);
  tt_text_printf(&text, "return %s : %s\n}\n", width < 32 ? "%cut" : rule->returned, name);
  bool ok = tt_inline_text(arena, op, text.data);
  tt_text_free(&text);
  return ok;
}

/* A power with a known exponent, by squares: x^13 = x^8 * x^4 * x. */
static bool expand_power(TtArena *arena, MlirOperation op) {
  enum { LARGEST = 64 };
  int64_t exponent;
  MlirValue base = mlirOperationGetOperand(op, 0), n = mlirOperationGetOperand(op, 1);
  if (!tt_constant(n, &exponent) || llabs(exponent) > LARGEST) return true;
  const char *type = tt_type_text(arena, mlirValueGetType(base));
  TtText text = {NULL, 0, 0};
  tt_text_printf(&text,
                 "func.func @f(%%s0: %s, %%n: %s) -> %s {\n %%p0 = arith.constant 1.0 : %s\n", type,
                 tt_type_text(arena, mlirValueGetType(n)), type, type);
  int squares = 0, products = 0;
  for (int64_t rest = llabs(exponent); rest > 0; rest /= 2) {
    if (rest % 2)
      tt_text_printf(&text, " %%p%d = arith.mulf %%p%d, %%s%d : %s\n", products + 1, products,
                     squares, type),
          ++products;
    tt_text_printf(&text, " %%s%d = arith.mulf %%s%d, %%s%d : %s\n", squares + 1, squares, squares,
                   type);
    ++squares;
  }
  if (exponent < 0)
    tt_text_printf(&text, " %%p%d = arith.divf %%p0, %%p%d : %s\n", products + 1, products, type),
        ++products;
  tt_text_printf(&text, " return %%p%d : %s\n}\n", products, type);
  bool ok = tt_inline_text(arena, op, text.data);
  tt_text_free(&text);
  return ok;
}

static bool expand(TtArena *arena, MlirOperation kernel) {
  if (!tt_expand_wide_products(arena, kernel)) return false;
  tt_expand_flag_compares(arena, kernel);
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    for (size_t r = 0; r < sizeof counts / sizeof *counts; ++r)
      if (tt_op_is(op, counts[r].op)) {
        if (!expand_count(arena, op, &counts[r])) return false;
        op = (MlirOperation){NULL};
        break;
      }
    if (mlirOperationIsNull(op)) continue;
    bool numbers = mlirOperationGetNumResults(op) > 0 &&
                   mlirTypeIsAFloat(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!numbers) continue;
    if (tt_op_is(op, "math.fpowi") && !expand_power(arena, op)) return false;
    else if (tt_op_is(op, "math.fpowi")) continue;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r)
      if (tt_op_is(op, rules[r].op)) {
        if (!expand_by(arena, op, &rules[r])) return false;
        break;
      }
  }
  return true;
}

bool tt_run_expand_math(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, expand);
}
