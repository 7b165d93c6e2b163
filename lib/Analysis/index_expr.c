/*===- index_expr.c - index arithmetic through affine expressions ----------------------===
 *
 *   %by * 128 + %k * 32, divided by 32  =  %by * 4 + %k
 *
 * A value becomes an affine expression over the values it cannot see into
 * (loop variables, runtime arguments); MLIR simplifies the quotient; and the
 * result becomes arith ops again.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_leaves.h"
#include "Analysis/index_range.h"

#include "Dialect/op_info.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

/* Whether nothing in the kernel may write to tensor `memref`: it is loaded from only. */
static bool is_only_loaded(MlirValue memref) {
  if (!mlirValueIsABlockArgument(memref)) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(memref); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!tt_op_is(mlirOpOperandGetOwner(use), "memref.load")) return false;
  return true;
}

/* Whether two values are the same one, written twice: casts and sums of integers, and integers of a
 * tensor that is loaded from only, as in H[L[i] + 1] = H[L[i] + 1] + x. */
static bool is_same(MlirValue a, MlirValue b, int depth) {
  if (tt_value_eq(a, b)) return true;
  MlirOperation x = tt_defining_op(a), y = tt_defining_op(b);
  bool pure = tt_op_is(x, "arith.index_cast") || tt_op_is(x, "arith.index_castui") ||
              tt_op_is(x, "arith.extsi") || tt_op_is(x, "arith.extui") ||
              tt_op_is(x, "arith.addi") || tt_op_is(x, "arith.subi") || tt_op_is(x, "arith.muli");
  if (depth == 0 || mlirOperationIsNull(x) || mlirOperationIsNull(y) ||
      (!pure && !tt_op_is(x, "memref.load")) || !mlirStringRefEqual(tt_op_name(x), tt_op_name(y)) ||
      !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) ||
      mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); ++i) {
    int64_t p, q;
    MlirValue of = mlirOperationGetOperand(x, i), other = mlirOperationGetOperand(y, i);
    bool same =
        (tt_constant(of, &p) && tt_constant(other, &q)) ? p == q : is_same(of, other, depth - 1);
    if (!same) return false;
  }
  return pure || is_only_loaded(mlirOperationGetOperand(x, 0));
}

static MlirAffineExpr leaf(TtLeaves *l, MlirValue value) {
  enum { DEPTH = 4 };
  intptr_t i = 0;
  while (i < l->n && !is_same(l->values[i], value, DEPTH)) ++i;
  if (i == l->n && i < TT_MAX_LEAVES) l->values[l->n++] = value;
  return mlirAffineDimExprGet(l->context, i < TT_MAX_LEAVES ? i : 0);
}

/* An expression over the operands of an affine op: dimensions first, then symbols. */
static MlirAffineExpr over_operands(TtLeaves *l, MlirOperation op, MlirAffineExpr e,
                                    intptr_t dims) {
  if (mlirAffineExprIsAConstant(e)) return e;
  if (mlirAffineExprIsADim(e))
    return tt_to_expr(l, mlirOperationGetOperand(op, mlirAffineDimExprGetPosition(e)));
  if (mlirAffineExprIsASymbol(e))
    return tt_to_expr(l, mlirOperationGetOperand(op, dims + mlirAffineSymbolExprGetPosition(e)));
  MlirAffineExpr x = over_operands(l, op, mlirAffineBinaryOpExprGetLHS(e), dims),
                 y = over_operands(l, op, mlirAffineBinaryOpExprGetRHS(e), dims);
  if (mlirAffineExprIsAAdd(e)) return mlirAffineAddExprGet(x, y);
  if (mlirAffineExprIsAMul(e)) return mlirAffineMulExprGet(x, y);
  if (mlirAffineExprIsAMod(e)) return mlirAffineModExprGet(x, y);
  return mlirAffineExprIsACeilDiv(e) ? mlirAffineCeilDivExprGet(x, y)
                                     : mlirAffineFloorDivExprGet(x, y);
}

MlirAffineMap tt_affine_map_of(MlirOperation op) {
  return mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
}

/* Result `i` of the map of an affine op. */
MlirAffineExpr tt_affine_result(TtLeaves *l, MlirOperation op, intptr_t i) {
  MlirAffineMap map = tt_affine_map_of(op);
  return over_operands(l, op, mlirAffineMapGetResult(map, i), mlirAffineMapGetNumDims(map));
}

/* Indices are not negative, so that both kinds are the same. */
bool tt_is_ceiling(MlirOperation op) {
  return tt_op_is(op, "arith.ceildivui") || tt_op_is(op, "arith.ceildivsi");
}

MlirAffineExpr tt_to_expr(TtLeaves *l, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  int64_t constant;
  if (tt_constant(value, &constant)) return mlirAffineConstantExprGet(l->context, constant);
  if (++l->visits > TT_MAX_VISITS) return leaf(l, value);
  if (tt_op_is(op, "affine.apply")) return tt_affine_result(l, op, 0);
  bool add = tt_op_is(op, "arith.addi"), sub = tt_op_is(op, "arith.subi"),
       mul = tt_op_is(op, "arith.muli"), up = tt_is_ceiling(op),
       div = up || tt_op_is(op, "arith.divui") || tt_op_is(op, "arith.divsi") ||
             tt_op_is(op, "arith.floordivsi"),
       rem = tt_op_is(op, "arith.remui") || tt_op_is(op, "arith.remsi");
  if (!add && !sub && !mul && !div && !rem) return leaf(l, value);
  MlirAttribute name = tt_get_attr(op, "tt.var");
  if (!mlirAttributeIsNull(name) && !l->through_names)
    return leaf(l, value); /* a name is worth keeping */
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  bool const_x = tt_constant(x, &constant), const_y = tt_constant(y, &constant);
  if ((mul && !const_x && !const_y) || ((div || rem) && (!const_y || constant <= 0)))
    return leaf(l, value);
  MlirAffineExpr a = tt_to_expr(l, x), b = tt_to_expr(l, y);
  if (add) return mlirAffineAddExprGet(a, b);
  if (sub)
    return mlirAffineAddExprGet(a,
                                mlirAffineMulExprGet(b, mlirAffineConstantExprGet(l->context, -1)));
  if (mul) return mlirAffineMulExprGet(a, b);
  if (up) return mlirAffineCeilDivExprGet(a, b);
  return div ? mlirAffineFloorDivExprGet(a, b) : mlirAffineModExprGet(a, b);
}

MlirValue tt_from_expr(TtLeaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr e);

/* `e` without its sign, where it is a negative constant or a product with one. */
bool tt_is_negated(MlirAffineExpr e, MlirAffineExpr *positive) {
  MlirContext context = mlirAffineExprGetContext(e);
  if (mlirAffineExprIsAConstant(e) && mlirAffineConstantExprGetValue(e) < 0)
    return *positive = mlirAffineConstantExprGet(context, -mlirAffineConstantExprGetValue(e)), true;
  if (!mlirAffineExprIsAMul(e)) return false;
  MlirAffineExpr factor = mlirAffineBinaryOpExprGetRHS(e);
  if (!mlirAffineExprIsAConstant(factor) || mlirAffineConstantExprGetValue(factor) >= 0)
    return false;
  factor = mlirAffineConstantExprGet(context, -mlirAffineConstantExprGetValue(factor));
  *positive = mlirAffineMulExprGet(mlirAffineBinaryOpExprGetLHS(e), factor);
  return true;
}

static MlirValue from_sum(TtLeaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr x,
                          MlirAffineExpr y) {
  MlirAffineExpr positive;
  if (tt_is_negated(y, &positive)) {
    MlirValue left = tt_from_expr(l, b, loc, x);
    return tt_sub(b, loc, left, tt_from_expr(l, b, loc, positive));
  }
  if (tt_is_negated(x, &positive)) {
    MlirValue left = tt_from_expr(l, b, loc, y);
    return tt_sub(b, loc, left, tt_from_expr(l, b, loc, positive));
  }
  MlirValue left = tt_from_expr(l, b, loc, x);
  return tt_add(b, loc, left, tt_from_expr(l, b, loc, y));
}

MlirValue tt_from_expr(TtLeaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr e) {
  if (mlirAffineExprIsAConstant(e)) return tt_index(b, loc, mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e)) return l->values[mlirAffineDimExprGetPosition(e)];
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e), right = mlirAffineBinaryOpExprGetRHS(e);
  if (mlirAffineExprIsAAdd(e)) return from_sum(l, b, loc, left, right);
  MlirValue x = tt_from_expr(l, b, loc, left), y = tt_from_expr(l, b, loc, right);
  if (mlirAffineExprIsAMul(e)) return tt_mul(b, loc, x, y);
  if (mlirAffineExprIsAMod(e)) return tt_rem(b, loc, x, y);
  if (mlirAffineExprIsACeilDiv(e)) x = tt_add(b, loc, x, tt_sub(b, loc, y, tt_index(b, loc, 1)));
  return tt_div(b, loc, x, y);
}

static MlirValue quotient(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                          int64_t divisor, int depth);

/* A choice, an extreme or a sum of multiples is divided in its parts. */
static MlirValue quotient_of_parts(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                                   int64_t divisor, int depth) {
  static const char *const names[] = {"arith.select", "arith.minui", "arith.maxui", "arith.minsi",
                                      "arith.maxsi",  "arith.addi",  "arith.subi"};
  MlirOperation op = tt_defining_op(value);
  bool known = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) known |= tt_op_is(op, names[i]);
  if (!known || depth > 16) return (MlirValue){NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirValue parts[3];
  for (intptr_t i = 0; i < n; ++i) {
    parts[i] = mlirOperationGetOperand(op, i);
    if (n == 3 && i == 0) continue; /* the condition */
    parts[i] = quotient(arena, b, loc, parts[i], divisor, depth + 1);
    if (tt_is_null_value(parts[i])) return parts[i];
  }
  TtOpState s = mlirOperationStateGet(tt_op_name(op), loc);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, parts[i]);
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static MlirValue quotient(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                          int64_t divisor, int depth) {
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = b->context;
  MlirAffineExpr e = tt_to_expr(l, value);
  if (!mlirAffineExprIsMultipleOf(e, divisor) || l->n == TT_MAX_LEAVES)
    return quotient_of_parts(arena, b, loc, value, divisor, depth);
  MlirAffineExpr d = mlirAffineConstantExprGet(l->context, divisor);
  return tt_from_expr(l, b, loc, mlirAffineFloorDivExprGet(e, d));
}

MlirValue tt_exact_quotient(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                            int64_t divisor) {
  return quotient(arena, b, loc, value, divisor, 0);
}

static bool is_loaded(MlirValue value, int depth) {
  enum { MOST = 32 };
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth > MOST || mlirOperationGetNumRegions(op) > 0) return false;
  if (tt_load_index_isa(op) || tt_fetch_index_isa(op) || tt_take_index_isa(op) ||
      tt_op_info(op)->does == TT_ACT_LEARN)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if ((mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, i))) ||
         tt_op_is(op, "arith.index_cast")) &&
        is_loaded(mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return false;
}

bool tt_is_loaded(MlirValue value) { return is_loaded(value, 0); }

bool tt_index_difference(TtArena *arena, MlirValue a, MlirValue b, int64_t *difference) {
  *difference = 0;
  if (tt_value_eq(a, b)) return true;
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = mlirTypeGetContext(mlirValueGetType(a));
  l->through_names = true;
  MlirAffineExpr x = tt_to_expr(l, a), minus = mlirAffineConstantExprGet(l->context, -1);
  MlirAffineExpr rest = mlirAffineAddExprGet(x, mlirAffineMulExprGet(tt_to_expr(l, b), minus));
  if (l->n == TT_MAX_LEAVES) return false;
  rest = mlirSimplifyAffineExpr(rest, TT_MAX_LEAVES, 0);
  if (!mlirAffineExprIsAConstant(rest)) return false;
  *difference = mlirAffineConstantExprGetValue(rest);
  return true;
}

bool tt_same_index(TtArena *arena, MlirValue a, MlirValue b) {
  int64_t difference;
  return tt_index_difference(arena, a, b, &difference) && difference == 0;
}

static bool depends_on(TtArena *arena, MlirValue value, MlirValue on) {
  TtOps seen = {NULL, 0, 0};
  if (tt_value_eq(value, on)) return true;
  MlirOperation op = tt_defining_op(value);
  if (!mlirOperationIsNull(op)) tt_ops_add(arena, &seen, op);
  for (intptr_t i = 0; i < seen.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(seen.data[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(seen.data[i], j);
      if (tt_value_eq(operand, on)) return true;
      op = tt_defining_op(operand);
      intptr_t k = 0;
      while (k < seen.n && !tt_op_eq(seen.data[k], op)) ++k;
      if (k == seen.n && !mlirOperationIsNull(op)) tt_ops_add(arena, &seen, op);
    }
  return false;
}

/* The factor of dimension `at` in a sum of products with constants. */
static bool factor_of(MlirAffineExpr e, intptr_t at, int64_t *factor) {
  *factor = 0;
  if (!mlirAffineExprIsFunctionOfDim(e, at)) return true;
  if (mlirAffineExprIsADim(e)) return *factor = 1, true;
  MlirAffineExpr x = mlirAffineBinaryOpExprGetLHS(e), y = mlirAffineBinaryOpExprGetRHS(e);
  int64_t a, b;
  if (mlirAffineExprIsAAdd(e)) {
    if (!factor_of(x, at, &a) || !factor_of(y, at, &b)) return false;
    return *factor = a + b, true;
  }
  if (!mlirAffineExprIsAMul(e) || !mlirAffineExprIsAConstant(y) || !factor_of(x, at, &a))
    return false;
  return *factor = a * mlirAffineConstantExprGetValue(y), true;
}

bool tt_index_factor(TtArena *arena, MlirValue value, MlirValue of, int64_t *factor) {
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = mlirTypeGetContext(mlirValueGetType(value));
  leaf(l, of); /* dimension 0 */
  MlirAffineExpr e = tt_to_expr(l, value);
  if (l->n == TT_MAX_LEAVES) return false;
  for (intptr_t i = 1; i < l->n; ++i)
    if (depends_on(arena, l->values[i], of)) return false;
  return factor_of(e, 0, factor);
}
