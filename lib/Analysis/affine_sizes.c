/*===- affine_sizes.c - affine.min, and what it says of sizes -----------------------------------===
 *
 *   %size = affine.min (64, 200 - %at)       at most 64; what is left of 200 from %at on
 *   %i - 3 + %j                              %i + %j on one side, 3 on the other
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_leaves.h"
#include "Analysis/index_range.h"

static bool is_min(MlirOperation op) {
  return tt_op_is(op, "affine.min") || tt_op_is(op, "arith.minui") || tt_op_is(op, "arith.minsi");
}

void tt_expand_affine(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool affine = tt_op_is(op, "affine.min") || tt_op_is(op, "affine.apply");
    if (!affine && !tt_is_ceiling(op) && !tt_op_is(op, "arith.divsi") &&
        !tt_op_is(op, "arith.remsi"))
      continue;
    if (!mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0)))) continue;
    TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
    l->context = mlirOperationGetContext(op);
    TtBuilder b = tt_builder_before(op);
    MlirLocation loc = mlirOperationGetLocation(op);
    MlirValue value = tt_from_expr(l, &b, loc,
                                   affine ? tt_affine_result(l, op, 0)
                                          : tt_to_expr(l, mlirOperationGetResult(op, 0)));
    for (intptr_t j = 1; affine && j < mlirAffineMapGetNumResults(tt_affine_map_of(op)); ++j)
      value = tt_min(&b, loc, value, tt_from_expr(l, &b, loc, tt_affine_result(l, op, j)));
    if (l->n < TT_MAX_LEAVES && !tt_value_eq(value, mlirOperationGetResult(op, 0)))
      tt_replace(op, value);
  }
}

intptr_t tt_affine_results(TtArena *arena, TtBuilder *b, MlirOperation op, MlirValue **results) {
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = b->context;
  intptr_t n = mlirAffineMapGetNumResults(tt_affine_map_of(op));
  *results = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof **results);
  for (intptr_t i = 0; i < n; ++i)
    (*results)[i] = tt_from_expr(l, b, mlirOperationGetLocation(op), tt_affine_result(l, op, i));
  return n;
}

/* Adds the terms of `e` to the side that they are on; whether any is subtracted. */
static bool split(TtLeaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr e,
                  MlirValue sides[2]) {
  MlirAffineExpr positive;
  if (mlirAffineExprIsAAdd(e)) {
    bool left = split(l, b, loc, mlirAffineBinaryOpExprGetLHS(e), sides);
    return split(l, b, loc, mlirAffineBinaryOpExprGetRHS(e), sides) || left;
  }
  bool minus = tt_is_negated(e, &positive);
  sides[minus] = tt_add(b, loc, sides[minus], tt_from_expr(l, b, loc, minus ? positive : e));
  return minus;
}

/* As split, of a sum of more values than an expression has: its parts are split by themselves. */
static void split_parts(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value, bool minus,
                        MlirValue sides[2]) {
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = b->context;
  MlirAffineExpr e = mlirSimplifyAffineExpr(tt_to_expr(l, value), TT_MAX_LEAVES, 0);
  MlirOperation op = tt_defining_op(value);
  bool less = tt_op_is(op, "arith.subi"), sum = less || tt_op_is(op, "arith.addi");
  int64_t factor = 1;
  MlirValue zero = tt_index(b, loc, 0), own[2] = {zero, zero};
  if (l->n < TT_MAX_LEAVES) split(l, b, loc, e, own);
  else if (sum) {
    split_parts(arena, b, loc, mlirOperationGetOperand(op, 0), false, own);
    split_parts(arena, b, loc, mlirOperationGetOperand(op, 1), less, own);
  } else if (tt_op_is(op, "arith.muli") && tt_constant(mlirOperationGetOperand(op, 1), &factor))
    split_parts(arena, b, loc, mlirOperationGetOperand(op, 0), false, own);
  else own[0] = value;
  MlirValue by = tt_index(b, loc, factor < 0 ? -factor : factor);
  for (int i = 0; i < 2; ++i) {
    bool side = minus ^ (factor < 0) ^ (i == 1);
    sides[side] = tt_add(b, loc, sides[side], tt_mul(b, loc, own[i], by));
  }
}

void tt_split_signs(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                    MlirValue *plus, MlirValue *minus) {
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = b->context;
  MlirAffineExpr e = mlirSimplifyAffineExpr(tt_to_expr(l, value), TT_MAX_LEAVES, 0);
  MlirValue zero = tt_index(b, loc, 0), sides[2] = {zero, zero};
  bool any = true;
  if (l->n == TT_MAX_LEAVES) split_parts(arena, b, loc, value, false, sides);
  else any = split(l, b, loc, e, sides);
  *plus = any ? sides[0] : value, *minus = any ? sides[1] : zero;
}

int64_t tt_least(TtArena *arena, MlirValue value) {
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = mlirTypeGetContext(mlirValueGetType(value));
  MlirAffineExpr e = mlirSimplifyAffineExpr(tt_to_expr(l, value), TT_MAX_LEAVES, 0), positive;
  int64_t constant = 0;
  for (bool sum = true; sum && l->n < TT_MAX_LEAVES;) { /* ((a + b) + c) + constant */
    sum = mlirAffineExprIsAAdd(e);
    MlirAffineExpr term = sum ? mlirAffineBinaryOpExprGetRHS(e) : e;
    if (mlirAffineExprIsAConstant(term)) constant += mlirAffineConstantExprGetValue(term);
    else if (tt_is_negated(term, &positive)) return 0;
    if (sum) e = mlirAffineBinaryOpExprGetLHS(e);
  }
  return constant > 0 ? constant : 0;
}

/* How many values `size` is the least of, and value `i` of them as an expression. */
static intptr_t num_terms(MlirValue size) {
  MlirOperation op = tt_defining_op(size);
  if (!is_min(op)) return 1;
  return tt_op_is(op, "affine.min") ? mlirAffineMapGetNumResults(tt_affine_map_of(op))
                                    : num_terms(mlirOperationGetOperand(op, 0)) +
                                          num_terms(mlirOperationGetOperand(op, 1));
}

static MlirAffineExpr term(TtLeaves *l, MlirValue size, intptr_t i) {
  MlirOperation op = tt_defining_op(size);
  if (!is_min(op)) return tt_to_expr(l, size);
  if (tt_op_is(op, "affine.min")) return tt_affine_result(l, op, i);
  intptr_t left = num_terms(mlirOperationGetOperand(op, 0));
  return i < left ? term(l, mlirOperationGetOperand(op, 0), i)
                  : term(l, mlirOperationGetOperand(op, 1), i - left);
}

/* The least constant term of `size`, or one that is loaded, at most; `all`: whether all are
 * constants. */
static int64_t least_term(MlirValue size, bool *all) {
  TtLeaves l = {.context = mlirTypeGetContext(mlirValueGetType(size)), .through_names = true};
  int64_t bound = -1;
  *all = true;
  for (intptr_t i = 0, n = num_terms(size); i < n; ++i) {
    MlirAffineExpr e = term(&l, size, i);
    TtIndexRange range;
    bool constant = mlirAffineExprIsAConstant(e);
    *all &= constant;
    if (!constant && (l.n == TT_MAX_LEAVES || !tt_loaded_range(e, l.values, l.n, &range))) continue;
    int64_t value = constant ? mlirAffineConstantExprGetValue(e) : range.most;
    if (bound < 0 || value < bound) bound = value;
  }
  return bound;
}

int64_t tt_index_bound(MlirValue size) {
  bool all;
  return least_term(size, &all);
}

int64_t tt_index_known(MlirValue size) {
  bool all;
  int64_t value = least_term(size, &all);
  return all ? value : -1;
}

bool tt_is_rest(TtArena *arena, MlirValue size, MlirValue offset, int64_t whole,
                MlirValue *symbol) {
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = mlirTypeGetContext(mlirValueGetType(size));
  l->through_names = true;
  bool found = false;
  for (intptr_t i = 0, n = num_terms(size); i < n; ++i) {
    MlirAffineExpr e = term(l, size, i);
    if (mlirAffineExprIsAConstant(e)) continue;
    e = mlirSimplifyAffineExpr(mlirAffineAddExprGet(e, tt_to_expr(l, offset)), TT_MAX_LEAVES, 0);
    if (l->n == TT_MAX_LEAVES) return false;
    bool constant = mlirAffineExprIsAConstant(e);
    if (constant ? mlirAffineConstantExprGetValue(e) != whole
                 : whole >= 0 || !mlirAffineExprIsADim(e))
      return false;
    if (!constant) *symbol = l->values[mlirAffineDimExprGetPosition(e)];
    found = true;
  }
  return found;
}

bool tt_index_map(TtArena *arena, const MlirValue *values, intptr_t n, MlirAffineMap *map,
                  const MlirValue **leaves, intptr_t *num_leaves) {
  TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
  MlirAffineExpr *results = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *results);
  l->context = mlirTypeGetContext(mlirValueGetType(values[0]));
  l->through_names = true;
  for (intptr_t i = 0; i < n; ++i)
    results[i] = mlirSimplifyAffineExpr(tt_to_expr(l, values[i]), TT_MAX_LEAVES, 0);
  if (l->n == TT_MAX_LEAVES) return false;
  *map = mlirAffineMapGet(l->context, l->n, 0, n, results);
  *leaves = l->values, *num_leaves = l->n;
  return true;
}
