/*===- expand_math.c - --tt-expand-math -----------------------------------------------------===
 *
 * Functions of numbers that the vector unit has not become what it has.
 *
 *   before  %r = math.round %x : f32
 *   after   %a = math.absf %x    %f = math.floor %a    %d = %a - %f
 *           %u = %f + (%d >= 0.5 ? 1 : 0)    %r = %x < 0 ? -%u : %u
 *
 * What is rounded is exact, since a number and its floor differ by a number of the type. Requires
 * nothing.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Raise/inline_text.h"

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
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
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
