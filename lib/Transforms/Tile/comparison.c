/*===- comparison.c - comparisons of floats ---------------------------------------------------===
 *
 *   x > y        gtz(x - y)                x <= y    lez(x - y)
 *   x == y       eqz((x - y) + 0)          adding zero makes -0 a zero
 *   x == -inf    isneginf(x)               where the difference would be no number
 *                x <= -65520               of f16, of which the chip has no infinities: what has
 * its largest exponent is a number beyond 65504 x == x       1 - isnan(x)
 *
 *   x == y       not (x > y or x < y), where neither is constant: infinities have no difference
 *
 * The difference with NaN is NaN, which is neither above nor below zero: where that answers for
 * the other kind of predicate, isnan of the operands decides. The vector unit subtracts: to the
 * FPU, NaN is a large number, and low bits of fp32 are none.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

#include <math.h>

/* arith::CmpFPredicate: ordered ones, then unordered ones in the same order. */
enum { FALSE_, EQ, GT, GE, LT, LE, NE, ORD, UEQ, UNO = 14, TRUE_ };

static TtExpr *opposite(TtExprs *x, TtExpr *flag) {
  return tt_expr_unary(x, "rsub_scalar", flag, 1);
}

static bool is_infinity(const TtExpr *e) {
  return e->kind == TT_EXPR_FILL && tt_is_null_value(e->value) && isinf(e->scalar);
}

static int mirrored(int relation) {
  static const int other[] = {FALSE_, EQ, LT, LE, GT, GE, NE};
  return other[relation];
}

/* A value with itself: what counts is whether it is a number. */
static TtExpr *with_itself(TtExprs *x, int predicate, TtExpr *a) {
  bool ordered = predicate < UEQ;
  int relation = ordered ? predicate : predicate - ORD;
  bool equal = relation == EQ || relation == GE || relation == LE;
  if (equal != ordered) return tt_expr_fill(x, equal ? 1 : 0);
  TtExpr *nan = tt_expr_unary(x, "isnan", a, 0);
  if (relation == NE || relation == GT || relation == LT) return ordered ? tt_expr_fill(x, 0) : nan;
  return ordered ? opposite(x, nan) : tt_expr_fill(x, 1);
}

/* What is compared with zero. */
static TtExpr *difference(TtExprs *x, TtExpr *a, TtExpr *b) {
  return tt_expr_combine(x, "sub", a, b, true);
}

static TtExpr *above(TtExprs *x, TtExpr *a, TtExpr *b) {
  return tt_expr_unary(x, "gtz", difference(x, a, b), 0);
}

static TtExpr *not_above(TtExprs *x, TtExpr *a, TtExpr *b) {
  return tt_expr_unary(x, "lez", difference(x, a, b), 0);
}

static TtExpr *either(TtExprs *x, TtExpr *a, TtExpr *b) {
  return tt_expr_combine(x, "max", a, b, false);
}

static bool is_number(const TtExpr *e) {
  return e->kind == TT_EXPR_FILL && tt_is_null_value(e->value) && !isnan(e->scalar);
}

static TtExpr *either_nan(TtExprs *x, TtExpr *a, TtExpr *b) {
  if (is_number(a)) return is_number(b) ? tt_expr_fill(x, 0) : tt_expr_unary(x, "isnan", b, 0);
  TtExpr *nan = tt_expr_unary(x, "isnan", a, 0);
  if (is_number(b)) return nan;
  return a == b ? nan : tt_expr_combine(x, "max", nan, tt_expr_unary(x, "isnan", b, 0), false);
}

/* `flag`, but no where an operand is no number. */
static TtExpr *if_ordered(TtExprs *x, TtExpr *flag, TtExpr *a, TtExpr *b) {
  return tt_expr_combine(x, "mul", flag, opposite(x, either_nan(x, a, b)), false);
}

/* `flag`, but yes where an operand is no number. */
static TtExpr *or_unordered(TtExprs *x, TtExpr *flag, TtExpr *a, TtExpr *b) {
  return either(x, flag, either_nan(x, a, b));
}

/* `flag`, which is what an ordered predicate says of NaN if `says_no`, as the predicate says. */
static TtExpr *for_all(TtExprs *x, TtExpr *flag, bool says_no, bool ordered, TtExpr *a, TtExpr *b) {
  if (says_no == ordered) return flag;
  return ordered ? if_ordered(x, flag, a, b) : or_unordered(x, flag, a, b);
}

/* Half of a step beyond the largest number of f16. */
enum { BEYOND_F16 = 65520 };

static TtExpr *is_infinite(TtExprs *x, TtExpr *a, bool negative, bool f16) {
  if (!f16) return tt_expr_unary(x, negative ? "isneginf" : "isposinf", a, 0);
  if (negative) return tt_expr_unary(x, "lez", tt_expr_unary(x, "add_scalar", a, BEYOND_F16), 0);
  return tt_expr_unary(x, "gez", tt_expr_unary(x, "sub_scalar", a, BEYOND_F16), 0);
}

/* With a constant that is infinite. */
static TtExpr *with_infinity(TtExprs *x, int predicate, TtExpr *a, TtExpr *infinity, bool f16) {
  bool ordered = predicate < UEQ, negative = infinity->scalar < 0;
  int relation = ordered ? predicate : predicate - ORD;
  TtExpr *is = is_infinite(x, a, negative, f16), *flag;
  bool never = relation == (negative ? LT : GT), always = relation == (negative ? GE : LE);
  bool equal = relation == EQ || relation == (negative ? LE : GE);
  if (never || always) flag = tt_expr_fill(x, always);
  else flag = equal ? is : opposite(x, is);
  return for_all(x, flag, never || equal, ordered, a, infinity);
}

static TtExpr *by_difference(TtExprs *x, int relation, bool ordered, TtExpr *a, TtExpr *b) {
  bool constant = is_number(a) || is_number(b), natural = false;
  TtExpr *flag = NULL;
  switch (relation) {
  case GT: flag = above(x, a, b), natural = ordered; break;
  case LT: flag = above(x, b, a), natural = ordered; break;
  case LE: flag = not_above(x, a, b), natural = !ordered; break;
  case GE: flag = not_above(x, b, a), natural = !ordered; break;
  default: /* NaN is neither above nor below, and differs from zero */
    if (constant) {
      TtExpr *d = tt_expr_unary(x, "add_scalar", difference(x, a, b), 0);
      flag = tt_expr_unary(x, relation == EQ ? "eqz" : "nez", d, 0);
      natural = (relation == EQ) == ordered;
    } else {
      flag = either(x, above(x, a, b), above(x, b, a));
      if (relation == EQ) flag = opposite(x, flag);
      natural = (relation == NE) == ordered;
    }
  }
  return for_all(x, flag, natural == ordered, ordered, a, b);
}

static bool is_f16(MlirOperation op) {
  return mlirTypeIsAF16(mlirValueGetType(mlirOperationGetOperand(op, 0)));
}

TtExpr *tt_expr_classify(TtExprs *x, MlirOperation op, TtExpr *a) {
  if (!a) return NULL;
  bool f16 = is_f16(op);
  TtExpr *endless = either(x, is_infinite(x, a, false, f16), is_infinite(x, a, true, f16));
  if (tt_op_is(op, "math.isinf")) return endless;
  return opposite(x, either(x, endless, tt_expr_unary(x, "isnan", a, 0)));
}

TtExpr *tt_expr_compare(TtExprs *x, MlirOperation op, TtExpr *a, TtExpr *b) {
  int predicate = (int)tt_int(tt_op_attr(op, "predicate"));
  if (!a || !b) return NULL;
  if (predicate == FALSE_ || predicate == TRUE_) return tt_expr_fill(x, predicate == TRUE_);
  if (predicate == UNO) return either_nan(x, a, b);
  if (predicate == ORD) return opposite(x, either_nan(x, a, b));
  if (a == b && a->kind != TT_EXPR_FILL) return with_itself(x, predicate, a);
  int relation = predicate < UEQ ? predicate : predicate - ORD;
  if (is_infinity(b)) return with_infinity(x, predicate, a, b, is_f16(op));
  if (is_infinity(a))
    return with_infinity(x, mirrored(relation) + predicate - relation, b, a, is_f16(op));
  return by_difference(x, relation, predicate < UEQ, a, b);
}
