/*===- multiples.c - indices that are multiples of a number ------------------------------------===
 *
 *   scf.for %k = %c0 to %c128 step %c64 { … %k + %m * 32 … }            a multiple of 32
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"

#include "Support/gcd.h"

enum { DEPTH = 16 };

/* What the other factor of a product must be a multiple of, so that the product is one of `n`. */
static int64_t beside(MlirValue factor, int64_t n) {
  int64_t constant;
  if (!tt_constant(factor, &constant)) return n;
  int64_t rest = constant % n;
  return n / tt_gcd(n, rest < 0 ? -rest : rest);
}

/* Of an index of a grid, by where it begins and how it steps, both constant. */
static bool steps_by(MlirOperation grid, MlirValue index, int64_t n) {
  intptr_t i = mlirBlockArgumentGetArgNumber(index);
  MlirAttribute first = tt_op_attr(grid, "staticLowerBound"), step = tt_op_attr(grid, "staticStep");
  if (i >= mlirDenseArrayGetNumElements(step)) return false;
  int64_t begin = mlirDenseI64ArrayGetElement(first, i), by = mlirDenseI64ArrayGetElement(step, i);
  int64_t open = mlirShapedTypeGetDynamicSize();
  return begin != open && by != open && begin % n == 0 && by % n == 0;
}

static bool is_multiple(TtArena *arena, TtBuilder *b, MlirValue value, int64_t n, int depth) {
  int64_t constant;
  MlirOperation op = tt_defining_op(value);
  if (tt_constant(value, &constant)) return constant % n == 0;
  if (depth == 0) return false;
  if (mlirOperationIsNull(op)) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    if (tt_op_is(loop, "scf.forall")) return steps_by(loop, value, n);
    return tt_op_is(loop, "scf.for") && tt_value_eq(value, tt_for_iv(loop)) &&
           is_multiple(arena, b, mlirOperationGetOperand(loop, 0), n, depth - 1) &&
           is_multiple(arena, b, mlirOperationGetOperand(loop, 2), n, depth - 1);
  }
  bool product = tt_op_is(op, "arith.muli"), choice = tt_op_is(op, "arith.select");
  bool all = tt_op_is(op, "arith.addi") || tt_op_is(op, "arith.subi") ||
             tt_op_is(op, "arith.remui") || tt_op_is(op, "arith.minui") ||
             tt_op_is(op, "arith.maxui") || tt_op_is(op, "arith.minsi") ||
             tt_op_is(op, "arith.maxsi");
  if (product) {
    MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
    if (is_multiple(arena, b, x, beside(y, n), depth - 1) ||
        is_multiple(arena, b, y, beside(x, n), depth - 1))
      return true;
  }
  if (all || choice) {
    bool x = is_multiple(arena, b, mlirOperationGetOperand(op, choice), n, depth - 1),
         y = is_multiple(arena, b, mlirOperationGetOperand(op, 1 + choice), n, depth - 1);
    if (x && y) return true;
  }
  return !tt_is_null_value(tt_exact_quotient(arena, b, mlirOperationGetLocation(op), value, n));
}

bool tt_is_multiple(TtArena *arena, TtBuilder *b, MlirValue value, int64_t n) {
  return is_multiple(arena, b, value, n, DEPTH);
}
