/*===- index_range.c - the values that an index may take ------------------------------------===
 *
 *   %i * 32 + %k - 3, where %i is one of a grid of 4 and %k goes to 32     = -3 to 124
 *   %i / 4 and %i % 4, where %i is one of a grid of 6                      = 0 to 1 and 0 to 3
 *   tt.load_index %L[%i], where %L has tt.range = [1, 48]                  = 1 to 48
 *   %b + %i, where %b is one of a grid to 40 in steps of 32 and %i goes to
 *   affine.min(32, 40 - %b)                                                = 0 to 39
 *   %i xor %j and %i >> %j, where %i is below 6, %j below 3                = 0 to 7 and 0 to 5
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_range.h"

#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Dialect/op_info.h"

static bool range_of_loaded(MlirValue value, TtIndexRange *range);

/* Of the larger of two. */
static bool range_of_max(MlirOperation op, TtIndexRange *range) {
  TtIndexRange other;
  if (!range_of_loaded(mlirOperationGetOperand(op, 0), range) ||
      !range_of_loaded(mlirOperationGetOperand(op, 1), &other))
    return false;
  if (other.least > range->least) range->least = other.least;
  if (other.most > range->most) range->most = other.most;
  return true;
}

/* What an argument of a function holds, as its tt.range says. */
static bool range_of_tensor(MlirValue tensor, TtIndexRange *range) {
  if (!mlirValueIsABlockArgument(tensor)) return false;
  MlirOperation func = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(tensor));
  if (!tt_op_is(func, "func.func")) return false;
  TtRange given = tt_arg_range(func, mlirBlockArgumentGetArgNumber(tensor));
  if (given.given) *range = (TtIndexRange){given.lo, given.hi};
  return given.given;
}

/* False where that fits no 64 bits. */
static bool shift(TtIndexRange *range, int64_t by) {
  return !__builtin_add_overflow(range->least, by, &range->least) &&
         !__builtin_add_overflow(range->most, by, &range->most);
}

/* Of what is a constant more or less: of what is loaded that much larger, say. */
static bool range_of_shifted(MlirOperation op, TtIndexRange *range) {
  int64_t by;
  if (!tt_constant(mlirOperationGetOperand(op, 1), &by) ||
      !range_of_loaded(mlirOperationGetOperand(op, 0), range))
    return false;
  if (tt_op_is(op, "arith.subi") && __builtin_sub_overflow((int64_t)0, by, &by)) return false;
  return shift(range, by);
}

/* The values that an integer of a tensor takes, as its tt.range says. */
static bool range_of_loaded(MlirValue value, TtIndexRange *range) {
  MlirOperation op = tt_defining_op(value);
  if (tt_op_is(op, "arith.index_cast"))
    return range_of_loaded(mlirOperationGetOperand(op, 0), range);
  if (tt_op_is(op, "arith.maxui") || tt_op_is(op, "arith.maxsi")) return range_of_max(op, range);
  if (tt_op_is(op, "arith.addi") || tt_op_is(op, "arith.subi")) return range_of_shifted(op, range);
  if (!tt_load_index_isa(op) || !range_of_tensor(tt_load_index_tensor(op), range)) return false;
  MlirAttribute plus = tt_load_index_plus(op);
  int64_t more = mlirAttributeIsNull(plus) ? 0 : tt_int(plus);
  return shift(range, more);
}

/* A quotient, or a rest, of what lies in `range`, rounded down. */
static bool divide(TtIndexRange *range, int64_t by, bool rest) {
  if (by <= 0 || range->least < 0) return false;
  if (!rest) *range = (TtIndexRange){range->least / by, range->most / by};
  else if (range->least / by == range->most / by)
    *range = (TtIndexRange){range->least % by, range->most % by};
  else *range = (TtIndexRange){0, by - 1};
  return true;
}

/* Of a quotient or a rest by a constant. */
static bool range_of_quotient(TtArena *arena, MlirOperation op, TtIndexRange *range) {
  bool rest = tt_op_is(op, "arith.remui") || tt_op_is(op, "arith.remsi"),
       quotient = tt_op_is(op, "arith.divui") || tt_op_is(op, "arith.divsi") ||
                  tt_op_is(op, "arith.floordivsi");
  int64_t by;
  return (rest || quotient) && tt_constant(mlirOperationGetOperand(op, 1), &by) &&
         tt_index_range(arena, mlirOperationGetOperand(op, 0), range) && divide(range, by, rest);
}

/* Of the smaller of two, where both are known. */
static bool range_of_min(TtArena *arena, MlirOperation op, TtIndexRange *range) {
  TtIndexRange other;
  if ((!tt_op_is(op, "arith.minui") && !tt_op_is(op, "arith.minsi")) ||
      !tt_index_range(arena, mlirOperationGetOperand(op, 0), range) ||
      !tt_index_range(arena, mlirOperationGetOperand(op, 1), &other) ||
      (tt_op_is(op, "arith.minui") && (range->least < 0 || other.least < 0)))
    return false;
  if (other.least < range->least) range->least = other.least;
  if (other.most < range->most) range->most = other.most;
  return true;
}

/* Of ops on bits of what is never below zero, and of shifts. */
static bool range_of_bits(TtArena *arena, MlirOperation op, TtIndexRange *range) {
  bool both = tt_op_is(op, "arith.andi"), left = tt_op_is(op, "arith.shli"),
       right = tt_op_is(op, "arith.shrui") || tt_op_is(op, "arith.shrsi"),
       any = tt_op_is(op, "arith.ori") || tt_op_is(op, "arith.xori");
  TtIndexRange x, y;
  if ((!both && !left && !right && !any) ||
      !tt_index_range(arena, mlirOperationGetOperand(op, 0), &x) ||
      !tt_index_range(arena, mlirOperationGetOperand(op, 1), &y) || x.least < 0 || y.least < 0 ||
      ((left || right) && y.most > 31))
    return false;
  *range = (TtIndexRange){0, x.most < y.most ? x.most : y.most};
  if (right) *range = (TtIndexRange){x.least >> y.most, x.most >> y.least};
  if (left)
    return !__builtin_mul_overflow(x.least, INT64_C(1) << y.least, &range->least) &&
           !__builtin_mul_overflow(x.most, INT64_C(1) << y.most, &range->most);
  if (!any) return true;
  int64_t above = 1;
  while (above <= INT32_MAX && above <= (x.most | y.most)) above *= 2;
  range->most = above - 1;
  return (x.most | y.most) <= range->most;
}

/* The values that a loop variable takes, or what is no sum of them. */
static bool range_of_variable(TtArena *arena, MlirValue value, TtIndexRange *range) {
  if (!mlirValueIsABlockArgument(value))
    return range_of_loaded(value, range) ||
           range_of_quotient(arena, tt_defining_op(value), range) ||
           range_of_min(arena, tt_defining_op(value), range) ||
           range_of_bits(arena, tt_defining_op(value), range);
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t d = mlirBlockArgumentGetArgNumber(value);
  int64_t lower, upper, step = 1;
  if (tt_op_is(loop, "scf.for") && d == 0) {
    if (!tt_constant(mlirOperationGetOperand(loop, 0), &lower)) return false;
    MlirValue end = mlirOperationGetOperand(loop, 1);
    if (!tt_constant(end, &upper)) upper = tt_index_bound(end);
    if (upper < 0) return false;
    if (!tt_constant(mlirOperationGetOperand(loop, 2), &step) || step <= 0) step = 1;
  } else if (tt_op_is(loop, "scf.forall")) {
    lower = mlirDenseI64ArrayGetElement(tt_op_attr(loop, "staticLowerBound"), d);
    upper = mlirDenseI64ArrayGetElement(tt_op_attr(loop, "staticUpperBound"), d);
    step = mlirDenseI64ArrayGetElement(tt_op_attr(loop, "staticStep"), d);
    if (lower == INT64_MIN || upper == INT64_MIN || step == INT64_MIN) return false;
  } else if (tt_op_is(loop, "scf.parallel")) {
    intptr_t dims = mlirBlockGetNumArguments(mlirBlockArgumentGetOwner(value));
    if (!tt_constant(mlirOperationGetOperand(loop, d), &lower) ||
        !tt_constant(mlirOperationGetOperand(loop, dims + d), &upper) ||
        !tt_constant(mlirOperationGetOperand(loop, 2 * dims + d), &step) || step <= 0)
      return false;
  } else return false;
  int64_t steps = 0;
  if (upper > lower && __builtin_sub_overflow(upper - 1, lower, &steps)) return false;
  *range = (TtIndexRange){lower, lower + steps / step * step};
  return true;
}

/* The values of an affine expression of variables with such ranges. */
static bool range_of(MlirAffineExpr e, const TtIndexRange *of, TtIndexRange *range) {
  if (mlirAffineExprIsAConstant(e)) {
    int64_t value = mlirAffineConstantExprGetValue(e);
    *range = (TtIndexRange){value, value};
    return true;
  }
  if (mlirAffineExprIsADim(e)) return *range = of[mlirAffineDimExprGetPosition(e)], true;
  TtIndexRange a, b;
  bool sum = mlirAffineExprIsAAdd(e), rest = mlirAffineExprIsAMod(e),
       divides = rest || mlirAffineExprIsAFloorDiv(e);
  if ((!sum && !divides && !mlirAffineExprIsAMul(e)) ||
      !range_of(mlirAffineBinaryOpExprGetLHS(e), of, &a) ||
      !range_of(mlirAffineBinaryOpExprGetRHS(e), of, &b))
    return false;
  if (divides) return *range = a, b.least == b.most && divide(range, b.least, rest);
  if (sum)
    return !__builtin_add_overflow(a.least, b.least, &range->least) &&
           !__builtin_add_overflow(a.most, b.most, &range->most);
  int64_t x, y;
  if (b.least != b.most || __builtin_mul_overflow(a.least, b.least, &x) ||
      __builtin_mul_overflow(a.most, b.least, &y))
    return false;
  *range = (TtIndexRange){x < y ? x : y, x < y ? y : x};
  return true;
}

bool tt_loaded_range(MlirAffineExpr e, const MlirValue *leaves, intptr_t n, TtIndexRange *range) {
  enum { LEAVES = 32 };
  TtIndexRange of[LEAVES];
  if (n > LEAVES) return false;
  for (intptr_t i = 0; i < n; ++i) /* those that the expression has not may be anything */
    if (!range_of_loaded(leaves[i], &of[i]) && mlirAffineExprIsFunctionOfDim(e, i)) return false;
  return range_of(e, of, range);
}

/* The affine.min that bounds a loop of which `value` is the variable, or null. */
static MlirOperation bound_of(MlirValue value) {
  MlirOperation none = {NULL};
  if (!mlirValueIsABlockArgument(value) || mlirBlockArgumentGetArgNumber(value) != 0) return none;
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (!tt_op_is(loop, "scf.for")) return none;
  MlirOperation op = tt_defining_op(mlirOperationGetOperand(loop, 1));
  return tt_op_is(op, "affine.min") ? op : none;
}

/* What the loop variable `leaves[i]` is at most by result `r` of the affine.min that bounds it, of
 * the leaves; null where that has others. */
static MlirAffineExpr most_of(MlirOperation min, intptr_t r, const MlirValue *leaves, intptr_t n) {
  enum { LEAVES = 32 };
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(min, "map"));
  MlirContext context = mlirOperationGetContext(min);
  MlirAffineExpr of[LEAVES], e = mlirAffineMapGetResult(map, r);
  intptr_t dims = mlirAffineMapGetNumDims(map);
  if (dims > LEAVES || mlirAffineMapGetNumSymbols(map) > 0) return (MlirAffineExpr){NULL};
  for (intptr_t d = 0; d < dims; ++d) {
    intptr_t leaf = 0;
    while (leaf < n && !tt_value_eq(leaves[leaf], mlirOperationGetOperand(min, d))) ++leaf;
    if (leaf == n && mlirAffineExprIsFunctionOfDim(e, d)) return (MlirAffineExpr){NULL};
    of[d] = mlirAffineDimExprGet(context, leaf == n ? 0 : leaf);
  }
  e = mlirAffineExprCompose(e, mlirAffineMapGet(context, n, 0, dims, of));
  return mlirAffineAddExprGet(e, mlirAffineConstantExprGet(context, -1));
}

/* Lessens what `index`, which is `e` of the leaves, is at most, by loops that end where what is
 * added to their variables says. */
static void end_with_blocks(TtArena *arena, MlirValue index, MlirAffineExpr e,
                            const MlirValue *leaves, intptr_t n, const TtIndexRange *of,
                            TtIndexRange *range) {
  enum { LEAVES = 32 };
  MlirContext context = mlirAffineExprGetContext(e);
  for (intptr_t i = 0; i < n; ++i) {
    MlirOperation min = bound_of(leaves[i]);
    int64_t factor;
    if (mlirOperationIsNull(min) || !tt_index_factor(arena, index, leaves[i], &factor) ||
        factor <= 0)
      continue;
    MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(min, "map"));
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      MlirAffineExpr with[LEAVES], most = most_of(min, r, leaves, n);
      TtIndexRange then;
      if (mlirAffineExprIsNull(most)) continue;
      for (intptr_t d = 0; d < n; ++d) with[d] = d == i ? most : mlirAffineDimExprGet(context, d);
      MlirAffineExpr at = mlirAffineExprCompose(e, mlirAffineMapGet(context, n, 0, n, with));
      if (range_of(mlirSimplifyAffineExpr(at, (uint32_t)n, 0), of, &then) &&
          then.most < range->most && then.most >= range->least)
        range->most = then.most;
    }
  }
}

bool tt_index_range(TtArena *arena, MlirValue index, TtIndexRange *range) {
  enum { LEAVES = 32 };
  const MlirValue *leaves;
  intptr_t n;
  MlirAffineMap map;
  TtIndexRange of[LEAVES];
  if (!tt_index_map(arena, &index, 1, &map, &leaves, &n) || n > LEAVES) return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!range_of_variable(arena, leaves[i], &of[i])) return false;
  MlirAffineExpr e = mlirAffineMapGetResult(map, 0);
  if (!range_of(e, of, range)) return false;
  end_with_blocks(arena, index, e, leaves, n, of, range);
  return true;
}
