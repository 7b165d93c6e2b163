/*===- quotient_parts.c - an index as a quotient and a rest -------------------------------------===
 *
 *   %k = %q * 4 + %r     %k / 4 = %q     %k % 4 = %r     %k / 8 = %q / 2     %k % 2 = %r % 2
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/quotient_parts.h"

#include "mlir-c/AffineExpr.h"

enum { MAX_OPERANDS = 32 };

/*===- Ops that divide -------===*/

bool tt_is_quotient(MlirAffineExpr e) {
  return mlirAffineExprIsAFloorDiv(e) || mlirAffineExprIsAMod(e) || mlirAffineExprIsACeilDiv(e);
}

static bool is_binary(MlirAffineExpr e) {
  return tt_is_quotient(e) || mlirAffineExprIsAAdd(e) || mlirAffineExprIsAMul(e);
}

bool tt_divides(MlirOperation op) {
  return tt_op_is(op, "arith.divui") || tt_op_is(op, "arith.divsi") ||
         tt_op_is(op, "arith.floordivsi");
}

bool tt_takes_rest(MlirOperation op) {
  return tt_op_is(op, "arith.remui") || tt_op_is(op, "arith.remsi");
}

/*===- TtParts of the variable --------------------------------------------------------------===*/

static MlirAffineExpr number(const TtParts *p, int64_t n) {
  return mlirAffineConstantExprGet(p->context, n);
}

static MlirAffineExpr times(const TtParts *p, MlirAffineExpr e, int64_t n) {
  return mlirAffineMulExprGet(e, number(p, n));
}

/* %iv / d and %iv % d, where one of d and `by` divides the other. */
static MlirAffineExpr divided(const TtParts *p, int64_t d) {
  if (d % p->by == 0) return mlirAffineFloorDivExprGet(p->quotient, number(p, d / p->by));
  return mlirAffineAddExprGet(times(p, p->quotient, p->by / d),
                              mlirAffineFloorDivExprGet(p->remainder, number(p, d)));
}

static MlirAffineExpr rest_of(const TtParts *p, int64_t d) {
  if (p->by % d == 0)
    return p->by == d ? p->remainder : mlirAffineModExprGet(p->remainder, number(p, d));
  MlirAffineExpr of = mlirAffineModExprGet(p->quotient, number(p, d / p->by));
  return mlirAffineAddExprGet(times(p, of, p->by), p->remainder);
}

/* `e` with the parts in place of dimension `dim`. */
static MlirAffineExpr in_parts(const TtParts *p, MlirAffineExpr e, intptr_t dim) {
  if (mlirAffineExprIsADim(e))
    return mlirAffineDimExprGetPosition(e) == dim
               ? mlirAffineAddExprGet(times(p, p->quotient, p->by), p->remainder)
               : e;
  if (!is_binary(e)) return e;
  MlirAffineExpr x = mlirAffineBinaryOpExprGetLHS(e), y = mlirAffineBinaryOpExprGetRHS(e);
  if (tt_is_quotient(e) && mlirAffineExprIsADim(x) && mlirAffineDimExprGetPosition(x) == dim) {
    int64_t d = mlirAffineConstantExprGetValue(y);
    return mlirAffineExprIsAMod(e) ? rest_of(p, d) : divided(p, d);
  }
  x = in_parts(p, x, dim), y = in_parts(p, y, dim);
  return mlirAffineExprIsAAdd(e)        ? mlirAffineAddExprGet(x, y)
         : mlirAffineExprIsAMul(e)      ? mlirAffineMulExprGet(x, y)
         : mlirAffineExprIsAMod(e)      ? mlirAffineModExprGet(x, y)
         : mlirAffineExprIsAFloorDiv(e) ? mlirAffineFloorDivExprGet(x, y)
                                        : mlirAffineCeilDivExprGet(x, y);
}

/* affine.apply of `operands`, %q and %r, those that it takes: it may stand outside of the loops of
 * others. A constant where it is one. */
static MlirValue apply(TtParts *p, TtBuilder *b, MlirLocation loc, intptr_t dims, intptr_t symbols,
                       const MlirValue *operands, MlirAffineExpr e) {
  if (mlirAffineExprIsAConstant(e)) return tt_index(b, loc, mlirAffineConstantExprGetValue(e));
  MlirAffineExpr taken[MAX_OPERANDS + 2];
  TtOpState s = tt_op_state("affine.apply", loc);
  intptr_t n = 0;
  for (intptr_t i = 0; i < dims + 2; ++i) {
    taken[i] = number(p, 0);
    if (!mlirAffineExprIsFunctionOfDim(e, i)) continue;
    taken[i] = mlirAffineDimExprGet(p->context, n++);
    tt_op_state_operand(&s, i < dims ? operands[i] : i == dims ? p->q : p->r);
  }
  e = mlirAffineExprCompose(e, mlirAffineMapGet(p->context, n, 0, dims + 2, taken));
  for (intptr_t i = 0; i < symbols; ++i) tt_op_state_operand(&s, operands[dims + i]);
  tt_op_state_attr(&s, p->context, "map",
                   mlirAffineMapAttrGet(mlirAffineMapGet(p->context, n, symbols, 1, &e)));
  tt_op_state_result(&s, mlirIndexTypeGet(p->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static void place_parts(TtParts *p, intptr_t dims) {
  p->quotient = mlirAffineDimExprGet(p->context, dims);
  p->remainder =
      tt_is_null_value(p->r) ? number(p, p->rest) : mlirAffineDimExprGet(p->context, dims + 1);
}

/* What `op`, which uses `iv` as operand `at`, is of the parts; null for other ops. */
static MlirValue of_parts(TtParts *p, MlirOperation op, MlirValue iv) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue operands[MAX_OPERANDS];
  int64_t by;
  if ((tt_divides(op) || tt_takes_rest(op)) && tt_value_eq(mlirOperationGetOperand(op, 0), iv) &&
      tt_constant(mlirOperationGetOperand(op, 1), &by)) {
    place_parts(p, 0);
    return apply(p, &b, loc, 0, 0, operands, tt_takes_rest(op) ? rest_of(p, by) : divided(p, by));
  }
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!tt_op_is(op, "affine.apply") || n > MAX_OPERANDS) return (MlirValue){NULL};
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  MlirAffineExpr e = mlirAffineMapGetResult(map, 0);
  intptr_t dims = mlirAffineMapGetNumDims(map);
  place_parts(p, dims);
  for (intptr_t i = 0; i < n; ++i) {
    operands[i] = mlirOperationGetOperand(op, i);
    if (!tt_value_eq(operands[i], iv)) continue;
    if (i < dims) e = in_parts(p, e, i);
    operands[i] = p->q; /* stands nowhere any more */
  }
  return apply(p, &b, loc, dims, n - dims, operands,
               mlirSimplifyAffineExpr(e, (uint32_t)dims + 2, (uint32_t)(n - dims)));
}

/* Puts the parts in place of `iv` in `scope`; `b` is where they are known. */
void tt_use_parts(TtArena *arena, TtParts p, TtBuilder b, MlirOperation scope, MlirValue iv) {
  TtOps all = tt_collect(arena, scope, NULL);
  MlirLocation loc = mlirOperationGetLocation(scope);
  MlirValue r = tt_is_null_value(p.r) ? tt_index(&b, loc, p.rest) : p.r,
            whole = tt_add(&b, loc, tt_mul(&b, loc, p.q, tt_index(&b, loc, p.by)), r);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    bool uses = false;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j)
      uses |= tt_value_eq(mlirOperationGetOperand(op, j), iv);
    if (!uses) continue;
    MlirValue value = of_parts(&p, op, iv);
    if (!tt_is_null_value(value)) {
      tt_replace(op, value);
      continue;
    }
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j)
      if (tt_value_eq(mlirOperationGetOperand(op, j), iv)) mlirOperationSetOperand(op, j, whole);
  }
}
