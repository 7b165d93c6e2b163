/*===- index_value.c - index arithmetic, evaluated ---------------------------------------------===
 *
 *   %a = arith.muli %i, %c32    %b = arith.cmpi ult, %a, %c64        %i = 1:  %a = 32, %b = 1
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_value.h"

#include "mlir-c/AffineMap.h"

enum { MAX_VISITS = 500 }; /* of ops that one value is made of */

typedef struct Evaluation {
  const TtKnown *known;
  int visits;
} Evaluation;

static bool value_of(Evaluation *e, MlirValue value, int64_t *out);

static bool divide(int64_t a, int64_t b, bool up, int64_t *out) {
  if (b <= 0 || a == INT64_MIN) return false;
  int64_t q = a / b, rest = a % b;
  return *out = q + (up ? rest > 0 : 0) - (!up && rest < 0), true;
}

/* Of numbers that do not go below zero, signs do not count; where one does, the ops that have none
 * are not evaluated. */
static bool two_operands(MlirOperation op, int64_t a, int64_t b, int64_t *out) {
  static const char *const unsigned_ops[] = {"arith.divui", "arith.remui", "arith.minui",
                                             "arith.maxui", "arith.shrui"};
  for (size_t i = 0; i < sizeof unsigned_ops / sizeof *unsigned_ops; ++i)
    if (tt_op_is(op, unsigned_ops[i]) && (a < 0 || b < 0)) return false;
  int64_t q;
  if (tt_op_is(op, "arith.addi")) return !__builtin_add_overflow(a, b, out);
  if (tt_op_is(op, "arith.subi")) return !__builtin_sub_overflow(a, b, out);
  if (tt_op_is(op, "arith.muli")) return !__builtin_mul_overflow(a, b, out);
  if (tt_op_is(op, "arith.divui") || tt_op_is(op, "arith.floordivsi"))
    return divide(a, b, false, out);
  if (tt_op_is(op, "arith.ceildivsi") || tt_op_is(op, "arith.ceildivui"))
    return divide(a, b, true, out);
  if (tt_op_is(op, "arith.divsi")) return divide(a, b, a < 0, out);
  if (tt_op_is(op, "arith.remui") || tt_op_is(op, "arith.remsi"))
    return b > 0 && a != INT64_MIN ? (*out = a % b, true) : false;
  if (tt_op_is(op, "arith.minui") || tt_op_is(op, "arith.minsi")) return *out = a < b ? a : b, true;
  if (tt_op_is(op, "arith.maxui") || tt_op_is(op, "arith.maxsi")) return *out = a > b ? a : b, true;
  if (tt_op_is(op, "arith.andi")) return *out = a & b, true;
  if (tt_op_is(op, "arith.ori")) return *out = a | b, true;
  if (tt_op_is(op, "arith.xori")) return *out = a ^ b, true;
  if (tt_op_is(op, "arith.shli") && b >= 0 && b < 32)
    return !__builtin_mul_overflow(a, INT64_C(1) << b, out);
  if ((tt_op_is(op, "arith.shrui") || tt_op_is(op, "arith.shrsi")) && b >= 0 && b < 63)
    return divide(a, INT64_C(1) << b, false, &q) && (*out = q, true);
  return false;
}

static bool compare(MlirOperation op, int64_t a, int64_t b, int64_t *out) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE }; /* arith::CmpIPredicate */
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (tt_int(tt_op_attr(op, "predicate"))) {
  case EQ: return *out = a == b, true;
  case NE: return *out = a != b, true;
  case SLT: return *out = a < b, true;
  case SLE: return *out = a <= b, true;
  case SGT: return *out = a > b, true;
  case SGE: return *out = a >= b, true;
  case ULT: return *out = x < y, true;
  case ULE: return *out = x <= y, true;
  case UGT: return *out = x > y, true;
  case UGE: return *out = x >= y, true;
  default: return false;
  }
}

/* An affine expression of the operands of `op`, whose symbols come after `dims` of them. */
static bool expression(Evaluation *e, MlirOperation op, intptr_t dims, MlirAffineExpr x,
                       int64_t *out) {
  int64_t a, b;
  if (mlirAffineExprIsAConstant(x)) return *out = mlirAffineConstantExprGetValue(x), true;
  if (mlirAffineExprIsADim(x))
    return value_of(e, mlirOperationGetOperand(op, mlirAffineDimExprGetPosition(x)), out);
  if (mlirAffineExprIsASymbol(x))
    return value_of(e, mlirOperationGetOperand(op, dims + mlirAffineSymbolExprGetPosition(x)), out);
  if (!expression(e, op, dims, mlirAffineBinaryOpExprGetLHS(x), &a) ||
      !expression(e, op, dims, mlirAffineBinaryOpExprGetRHS(x), &b))
    return false;
  if (mlirAffineExprIsAAdd(x)) return !__builtin_add_overflow(a, b, out);
  if (mlirAffineExprIsAMul(x)) return !__builtin_mul_overflow(a, b, out);
  if (mlirAffineExprIsAMod(x)) {
    if (b <= 0 || a == INT64_MIN) return false;
    return *out = a % b < 0 ? a % b + b : a % b, true;
  }
  return divide(a, b, mlirAffineExprIsACeilDiv(x), out);
}

/* affine.apply, or the least or largest of what a map gives. */
static bool affine(Evaluation *e, MlirOperation op, int64_t *out) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  bool least = tt_op_is(op, "affine.min");
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i) {
    int64_t x;
    if (!expression(e, op, mlirAffineMapGetNumDims(map), mlirAffineMapGetResult(map, i), &x))
      return false;
    if (i == 0 || (least ? x < *out : x > *out)) *out = x;
  }
  return true;
}

static bool is_cast(MlirOperation op) {
  return tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.index_castui") ||
         tt_op_is(op, "arith.extui");
}

static bool value_of(Evaluation *e, MlirValue value, int64_t *out) {
  for (int i = 0; i < e->known->n; ++i)
    if (tt_value_eq(e->known->values[i], value)) return *out = e->known->at[i], true;
  MlirOperation op = tt_defining_op(value);
  int64_t a, b;
  if (mlirOperationIsNull(op) || ++e->visits > MAX_VISITS) return false;
  if (tt_constant(value, out)) return true;
  if (tt_op_is(op, "affine.apply") || tt_op_is(op, "affine.min") || tt_op_is(op, "affine.max"))
    return affine(e, op, out);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n == 0 || mlirOperationGetNumRegions(op) > 0 || mlirOperationGetNumResults(op) != 1 ||
      !value_of(e, mlirOperationGetOperand(op, 0), &a))
    return false;
  if (is_cast(op)) return *out = a, true;
  if (tt_op_is(op, "arith.select")) return value_of(e, mlirOperationGetOperand(op, a ? 1 : 2), out);
  if (n != 2 || !value_of(e, mlirOperationGetOperand(op, 1), &b)) return false;
  return tt_op_is(op, "arith.cmpi") ? compare(op, a, b, out) : two_operands(op, a, b, out);
}

bool tt_index_value(const TtKnown *known, MlirValue value, int64_t *out) {
  Evaluation e = {known, 0};
  return value_of(&e, value, out);
}
