/*===- comparison.c - comparisons of floats ---------------------------------------------------===
 *
 *   x > y        gtz(x - y)                x <= y    lez(x - y)
 *   x == y       eqz((x - y) + 0)          adding zero makes -0 a zero
 *   x == -inf    isneginf(x)               where the difference would be no number
 *   x == x       1 - isnan(x)
 *
 * Both sides infinite and neither constant, or NaN in an ordered comparison with >=, <= or !=,
 * or an unordered one with the others, is not told apart: docs/accuracy.md.
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

/* With a constant that is infinite. */
static TtExpr *with_infinity(TtExprs *x, int relation, TtExpr *a, bool negative) {
  TtExpr *is = tt_expr_unary(x, negative ? "isneginf" : "isposinf", a, 0);
  switch (relation) {
  case EQ: return is;
  case NE: return opposite(x, is);
  case GT: return negative ? opposite(x, is) : tt_expr_fill(x, 0);
  case LT: return negative ? tt_expr_fill(x, 0) : opposite(x, is);
  case GE: return negative ? tt_expr_fill(x, 1) : is;
  default: return negative ? is : tt_expr_fill(x, 1);
  }
}

/* What is compared with zero. The sources of the FPU drop low bits of fp32: values that
 * differ in them are kept apart by the vector unit, if no op takes them to the FPU. */
static TtExpr *difference(TtExprs *x, TtExpr *a, TtExpr *b) {
  return tt_expr_combine(x, "sub", a, b, tt_is_fp32_leaf(a) || tt_is_fp32_leaf(b));
}

static TtExpr *by_difference(TtExprs *x, int relation, TtExpr *a, TtExpr *b) {
  switch (relation) {
  case GT: return tt_expr_unary(x, "gtz", difference(x, a, b), 0);
  case LT: return tt_expr_unary(x, "gtz", difference(x, b, a), 0);
  case LE: return tt_expr_unary(x, "lez", difference(x, a, b), 0);
  case GE: return tt_expr_unary(x, "lez", difference(x, b, a), 0);
  default: break;
  }
  TtExpr *d = tt_expr_unary(x, "add_scalar", difference(x, a, b), 0);
  return tt_expr_unary(x, relation == EQ ? "eqz" : "nez", d, 0);
}

static TtExpr *either_nan(TtExprs *x, TtExpr *a, TtExpr *b) {
  TtExpr *nan = tt_expr_unary(x, "isnan", a, 0);
  return a == b ? nan : tt_expr_combine(x, "max", nan, tt_expr_unary(x, "isnan", b, 0), false);
}

TtExpr *tt_expr_compare(TtExprs *x, MlirOperation op, TtExpr *a, TtExpr *b) {
  int predicate = (int)tt_int(tt_op_attr(op, "predicate"));
  if (!a || !b) return NULL;
  if (predicate == FALSE_ || predicate == TRUE_) return tt_expr_fill(x, predicate == TRUE_);
  if (predicate == UNO) return either_nan(x, a, b);
  if (predicate == ORD) return opposite(x, either_nan(x, a, b));
  if (a == b && a->kind != TT_EXPR_FILL) return with_itself(x, predicate, a);
  int relation = predicate < UEQ ? predicate : predicate - ORD;
  if (is_infinity(b)) return with_infinity(x, relation, a, b->scalar < 0);
  if (is_infinity(a)) return with_infinity(x, mirrored(relation), b, a->scalar < 0);
  return by_difference(x, relation, a, b);
}
