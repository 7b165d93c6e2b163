/*===- affine_bounds.c - bounds of what loops and affine maps give ------------------------------===
 *
 *   scf.forall (%i) in (2)            %i is 0 or 1
 *   affine.apply (d0 * 32 + s0)       by the bounds of what it takes
 *   affine.min (40 - d0 * 32, 32)     32 at most
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/integer_bounds.h"

#include "Analysis/kernel.h"

#include "mlir-c/Dialect/Linalg.h"

static bool is_loop(MlirAffineExpr e) {
  return mlirAffineExprIsADim(e) || mlirAffineExprIsASymbol(e);
}

static bool add(TtBounds x, TtBounds y, TtBounds *b) {
  return !__builtin_add_overflow(x.lo, y.lo, &b->lo) && !__builtin_add_overflow(x.hi, y.hi, &b->hi);
}

/* Affine products have a constant on one side, at least. */
static bool multiply(TtBounds x, TtBounds y, TtBounds *b) {
  int64_t a, c;
  if (x.lo == x.hi) {
    TtBounds other = x;
    x = y, y = other;
  }
  if (y.lo != y.hi || __builtin_mul_overflow(x.lo, y.lo, &a) ||
      __builtin_mul_overflow(x.hi, y.lo, &c))
    return false;
  *b = a < c ? (TtBounds){a, c} : (TtBounds){c, a};
  return true;
}

static int64_t floor_div(int64_t x, int64_t by) { return x / by - (x % by < 0); }
static int64_t ceil_div(int64_t x, int64_t by) { return x / by + (x % by > 0); }

/* By a number above zero. */
static bool divide(MlirAffineExpr e, TtBounds x, TtBounds y, TtBounds *b) {
  if (y.lo != y.hi || y.lo < 1) return false;
  if (mlirAffineExprIsAMod(e)) {
    bool stays = x.lo >= 0 && x.hi < y.lo;
    *b = stays ? x : (TtBounds){0, y.lo - 1};
  } else if (mlirAffineExprIsAFloorDiv(e)) {
    *b = (TtBounds){floor_div(x.lo, y.lo), floor_div(x.hi, y.lo)};
  } else *b = (TtBounds){ceil_div(x.lo, y.lo), ceil_div(x.hi, y.lo)};
  return true;
}

bool tt_affine_bounds(MlirAffineExpr e, intptr_t dims, const TtBounds *operands, TtBounds *b) {
  TtBounds x, y;
  if (mlirAffineExprIsAConstant(e)) {
    b->lo = b->hi = mlirAffineConstantExprGetValue(e);
    return true;
  }
  if (is_loop(e)) {
    *b = operands[mlirAffineExprIsADim(e) ? mlirAffineDimExprGetPosition(e)
                                          : dims + mlirAffineSymbolExprGetPosition(e)];
    return true;
  }
  if (!tt_affine_bounds(mlirAffineBinaryOpExprGetLHS(e), dims, operands, &x) ||
      !tt_affine_bounds(mlirAffineBinaryOpExprGetRHS(e), dims, operands, &y))
    return false;
  return mlirAffineExprIsAAdd(e)   ? add(x, y, b)
         : mlirAffineExprIsAMul(e) ? multiply(x, y, b)
                                   : divide(e, x, y, b);
}

bool tt_loop_bounds(MlirValue iv, TtBounds *b) {
  if (!mlirValueIsABlockArgument(iv)) return false;
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(iv));
  intptr_t i = mlirBlockArgumentGetArgNumber(iv);
  int64_t first, end;
  if (tt_op_is(loop, "scf.for")) {
    if (i > 0 || !tt_constant(mlirOperationGetOperand(loop, 0), &first) ||
        !tt_constant(mlirOperationGetOperand(loop, 1), &end))
      return false;
  } else if (tt_op_is(loop, "scf.forall")) {
    MlirAttribute from = tt_op_attr(loop, "staticLowerBound"),
                  to = tt_op_attr(loop, "staticUpperBound");
    if (i >= mlirDenseArrayGetNumElements(to)) return false;
    first = mlirDenseI64ArrayGetElement(from, i), end = mlirDenseI64ArrayGetElement(to, i);
    int64_t open = mlirShapedTypeGetDynamicSize();
    if (first == open || end == open) return false;
  } else return false;
  if (end <= first) end = first + 1; /* no step is taken */
  *b = (TtBounds){first, end - 1};
  return true;
}

/* Which dimension of operand `i` goes with loop `dim`, if it is of open size; or -1. */
static intptr_t open_dim(MlirOperation linalg, intptr_t i, int64_t dim) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(linalg);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(linalg, i));
  if (mlirAttributeIsNull(maps) || !tt_is_memref(type)) return -1;
  MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d) {
    MlirAffineExpr e = mlirAffineMapGetResult(map, d);
    if (mlirAffineExprIsADim(e) && mlirAffineDimExprGetPosition(e) == dim &&
        mlirShapedTypeIsDynamicDim(type, d))
      return d;
  }
  return -1;
}

static intptr_t count_open(MlirAttribute numbers) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(numbers); ++i)
    n += mlirDenseI64ArrayGetElement(numbers, i) == mlirShapedTypeGetDynamicSize();
  return n;
}

MlirValue tt_computed_size(MlirOperation linalg, intptr_t i, int64_t dim) {
  MlirOperation view = tt_defining_op(mlirOperationGetOperand(linalg, i));
  intptr_t d = open_dim(linalg, i, dim), before = 0;
  if (d < 0 || !tt_op_is(view, "memref.subview")) return (MlirValue){NULL};
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  for (intptr_t k = 0; k < d; ++k) before += mlirShapedTypeIsDynamicDim(type, k);
  /* Dimensions that the view drops have one element, so that open ones are those of the type. */
  return mlirOperationGetOperand(view, 1 + count_open(tt_op_attr(view, "static_offsets")) + before);
}
