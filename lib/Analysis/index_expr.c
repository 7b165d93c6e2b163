/*===- index_expr.c - index arithmetic through affine expressions ----------------------===
 *
 *   %by * 128 + %k * 32, divided by 32  =  %by * 4 + %k
 *
 * A value becomes an affine expression over the values it cannot see into
 * (loop variables, runtime arguments); MLIR simplifies the quotient; and the
 * result becomes arith ops again.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"

#include "Dialect/op_info.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

/* A value that is used twice is looked at twice; past this many looks it stays opaque. */
enum { MAX_LEAVES = 32, MAX_VISITS = 1000 };

typedef struct Leaves {
  MlirContext context;
  MlirValue values[MAX_LEAVES];
  intptr_t n;
  int visits;
  bool through_names; /* look into values that have a name, too */
} Leaves;

static MlirAffineExpr leaf(Leaves *l, MlirValue value) {
  intptr_t i = 0;
  while (i < l->n && !tt_value_eq(l->values[i], value)) ++i;
  if (i == l->n && i < MAX_LEAVES) l->values[l->n++] = value;
  return mlirAffineDimExprGet(l->context, i < MAX_LEAVES ? i : 0);
}

static MlirAffineExpr to_expr(Leaves *l, MlirValue value);

/* An expression over the operands of an affine op: dimensions first, then symbols. */
static MlirAffineExpr over_operands(Leaves *l, MlirOperation op, MlirAffineExpr e, intptr_t dims) {
  if (mlirAffineExprIsAConstant(e)) return e;
  if (mlirAffineExprIsADim(e))
    return to_expr(l, mlirOperationGetOperand(op, mlirAffineDimExprGetPosition(e)));
  if (mlirAffineExprIsASymbol(e))
    return to_expr(l, mlirOperationGetOperand(op, dims + mlirAffineSymbolExprGetPosition(e)));
  MlirAffineExpr x = over_operands(l, op, mlirAffineBinaryOpExprGetLHS(e), dims),
                 y = over_operands(l, op, mlirAffineBinaryOpExprGetRHS(e), dims);
  if (mlirAffineExprIsAAdd(e)) return mlirAffineAddExprGet(x, y);
  if (mlirAffineExprIsAMul(e)) return mlirAffineMulExprGet(x, y);
  if (mlirAffineExprIsAMod(e)) return mlirAffineModExprGet(x, y);
  return mlirAffineExprIsACeilDiv(e) ? mlirAffineCeilDivExprGet(x, y)
                                     : mlirAffineFloorDivExprGet(x, y);
}

static MlirAffineMap map_of(MlirOperation op) {
  return mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
}

/* Result `i` of the map of an affine op. */
static MlirAffineExpr result_of(Leaves *l, MlirOperation op, intptr_t i) {
  MlirAffineMap map = map_of(op);
  return over_operands(l, op, mlirAffineMapGetResult(map, i), mlirAffineMapGetNumDims(map));
}

/* Indices are not negative, so that both kinds are the same. */
static bool is_ceiling(MlirOperation op) {
  return tt_op_is(op, "arith.ceildivui") || tt_op_is(op, "arith.ceildivsi");
}

static MlirAffineExpr to_expr(Leaves *l, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  int64_t constant;
  if (tt_constant(value, &constant)) return mlirAffineConstantExprGet(l->context, constant);
  if (++l->visits > MAX_VISITS) return leaf(l, value);
  if (tt_op_is(op, "affine.apply")) return result_of(l, op, 0);
  bool add = tt_op_is(op, "arith.addi"), sub = tt_op_is(op, "arith.subi"),
       mul = tt_op_is(op, "arith.muli"), up = is_ceiling(op),
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
  MlirAffineExpr a = to_expr(l, x), b = to_expr(l, y);
  if (add) return mlirAffineAddExprGet(a, b);
  if (sub)
    return mlirAffineAddExprGet(a,
                                mlirAffineMulExprGet(b, mlirAffineConstantExprGet(l->context, -1)));
  if (mul) return mlirAffineMulExprGet(a, b);
  if (up) return mlirAffineCeilDivExprGet(a, b);
  return div ? mlirAffineFloorDivExprGet(a, b) : mlirAffineModExprGet(a, b);
}

static MlirValue from_expr(Leaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr e);

/* `e` without its sign, where it is a negative constant or a product with one. */
static bool negated(MlirAffineExpr e, MlirAffineExpr *positive) {
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

static MlirValue from_sum(Leaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr x,
                          MlirAffineExpr y) {
  MlirAffineExpr positive;
  if (negated(y, &positive)) {
    MlirValue left = from_expr(l, b, loc, x);
    return tt_sub(b, loc, left, from_expr(l, b, loc, positive));
  }
  if (negated(x, &positive)) {
    MlirValue left = from_expr(l, b, loc, y);
    return tt_sub(b, loc, left, from_expr(l, b, loc, positive));
  }
  MlirValue left = from_expr(l, b, loc, x);
  return tt_add(b, loc, left, from_expr(l, b, loc, y));
}

static MlirValue from_expr(Leaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr e) {
  if (mlirAffineExprIsAConstant(e)) return tt_index(b, loc, mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e)) return l->values[mlirAffineDimExprGetPosition(e)];
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e), right = mlirAffineBinaryOpExprGetRHS(e);
  if (mlirAffineExprIsAAdd(e)) return from_sum(l, b, loc, left, right);
  MlirValue x = from_expr(l, b, loc, left), y = from_expr(l, b, loc, right);
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
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = b->context;
  MlirAffineExpr e = to_expr(l, value);
  if (!mlirAffineExprIsMultipleOf(e, divisor) || l->n == MAX_LEAVES)
    return quotient_of_parts(arena, b, loc, value, divisor, depth);
  MlirAffineExpr d = mlirAffineConstantExprGet(l->context, divisor);
  return from_expr(l, b, loc, mlirAffineFloorDivExprGet(e, d));
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
    if (mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, i))) &&
        is_loaded(mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return false;
}

bool tt_is_loaded(MlirValue value) { return is_loaded(value, 0); }

bool tt_index_difference(TtArena *arena, MlirValue a, MlirValue b, int64_t *difference) {
  *difference = 0;
  if (tt_value_eq(a, b)) return true;
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = mlirTypeGetContext(mlirValueGetType(a));
  l->through_names = true;
  MlirAffineExpr x = to_expr(l, a), minus = mlirAffineConstantExprGet(l->context, -1);
  MlirAffineExpr rest = mlirAffineAddExprGet(x, mlirAffineMulExprGet(to_expr(l, b), minus));
  if (l->n == MAX_LEAVES) return false;
  rest = mlirSimplifyAffineExpr(rest, MAX_LEAVES, 0);
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
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = mlirTypeGetContext(mlirValueGetType(value));
  leaf(l, of); /* dimension 0 */
  MlirAffineExpr e = to_expr(l, value);
  if (l->n == MAX_LEAVES) return false;
  for (intptr_t i = 1; i < l->n; ++i)
    if (depends_on(arena, l->values[i], of)) return false;
  return factor_of(e, 0, factor);
}

/*===- affine.min and what it says of sizes -----------------------------------------------===*/

static bool is_min(MlirOperation op) {
  return tt_op_is(op, "affine.min") || tt_op_is(op, "arith.minui") || tt_op_is(op, "arith.minsi");
}

void tt_expand_affine(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool affine = tt_op_is(op, "affine.min") || tt_op_is(op, "affine.apply");
    if (!affine && !is_ceiling(op) && !tt_op_is(op, "arith.divsi") && !tt_op_is(op, "arith.remsi"))
      continue;
    if (!mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0)))) continue;
    Leaves *l = tt_arena_alloc(arena, sizeof *l);
    l->context = mlirOperationGetContext(op);
    TtBuilder b = tt_builder_before(op);
    MlirLocation loc = mlirOperationGetLocation(op);
    MlirValue value = from_expr(
        l, &b, loc, affine ? result_of(l, op, 0) : to_expr(l, mlirOperationGetResult(op, 0)));
    for (intptr_t j = 1; affine && j < mlirAffineMapGetNumResults(map_of(op)); ++j)
      value = tt_min(&b, loc, value, from_expr(l, &b, loc, result_of(l, op, j)));
    if (l->n < MAX_LEAVES && !tt_value_eq(value, mlirOperationGetResult(op, 0)))
      tt_replace(op, value);
  }
}

intptr_t tt_affine_results(TtArena *arena, TtBuilder *b, MlirOperation op, MlirValue **results) {
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = b->context;
  intptr_t n = mlirAffineMapGetNumResults(map_of(op));
  *results = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof **results);
  for (intptr_t i = 0; i < n; ++i)
    (*results)[i] = from_expr(l, b, mlirOperationGetLocation(op), result_of(l, op, i));
  return n;
}

/* Adds the terms of `e` to the side that they are on; whether any is subtracted. */
static bool split(Leaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr e, MlirValue sides[2]) {
  MlirAffineExpr positive;
  if (mlirAffineExprIsAAdd(e)) {
    bool left = split(l, b, loc, mlirAffineBinaryOpExprGetLHS(e), sides);
    return split(l, b, loc, mlirAffineBinaryOpExprGetRHS(e), sides) || left;
  }
  bool minus = negated(e, &positive);
  sides[minus] = tt_add(b, loc, sides[minus], from_expr(l, b, loc, minus ? positive : e));
  return minus;
}

/* As split, of a sum of more values than an expression has: its parts are split by themselves. */
static void split_parts(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value, bool minus,
                        MlirValue sides[2]) {
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = b->context;
  MlirAffineExpr e = mlirSimplifyAffineExpr(to_expr(l, value), MAX_LEAVES, 0);
  MlirOperation op = tt_defining_op(value);
  bool less = tt_op_is(op, "arith.subi"), sum = less || tt_op_is(op, "arith.addi");
  int64_t factor = 1;
  MlirValue zero = tt_index(b, loc, 0), own[2] = {zero, zero};
  if (l->n < MAX_LEAVES) split(l, b, loc, e, own);
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
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = b->context;
  MlirAffineExpr e = mlirSimplifyAffineExpr(to_expr(l, value), MAX_LEAVES, 0);
  MlirValue zero = tt_index(b, loc, 0), sides[2] = {zero, zero};
  bool any = true;
  if (l->n == MAX_LEAVES) split_parts(arena, b, loc, value, false, sides);
  else any = split(l, b, loc, e, sides);
  *plus = any ? sides[0] : value, *minus = any ? sides[1] : zero;
}

int64_t tt_least(TtArena *arena, MlirValue value) {
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = mlirTypeGetContext(mlirValueGetType(value));
  MlirAffineExpr e = mlirSimplifyAffineExpr(to_expr(l, value), MAX_LEAVES, 0), positive;
  int64_t constant = 0;
  for (bool sum = true; sum && l->n < MAX_LEAVES;) { /* ((a + b) + c) + constant */
    sum = mlirAffineExprIsAAdd(e);
    MlirAffineExpr term = sum ? mlirAffineBinaryOpExprGetRHS(e) : e;
    if (mlirAffineExprIsAConstant(term)) constant += mlirAffineConstantExprGetValue(term);
    else if (negated(term, &positive)) return 0;
    if (sum) e = mlirAffineBinaryOpExprGetLHS(e);
  }
  return constant > 0 ? constant : 0;
}

/* How many values `size` is the least of, and value `i` of them as an expression. */
static intptr_t num_terms(MlirValue size) {
  MlirOperation op = tt_defining_op(size);
  if (!is_min(op)) return 1;
  return tt_op_is(op, "affine.min") ? mlirAffineMapGetNumResults(map_of(op))
                                    : num_terms(mlirOperationGetOperand(op, 0)) +
                                          num_terms(mlirOperationGetOperand(op, 1));
}

static MlirAffineExpr term(Leaves *l, MlirValue size, intptr_t i) {
  MlirOperation op = tt_defining_op(size);
  if (!is_min(op)) return to_expr(l, size);
  if (tt_op_is(op, "affine.min")) return result_of(l, op, i);
  intptr_t left = num_terms(mlirOperationGetOperand(op, 0));
  return i < left ? term(l, mlirOperationGetOperand(op, 0), i)
                  : term(l, mlirOperationGetOperand(op, 1), i - left);
}

/* The least constant term of `size`, or one that is loaded, at most; `all`: whether all are
 * constants. */
static int64_t least_term(MlirValue size, bool *all) {
  Leaves l = {.context = mlirTypeGetContext(mlirValueGetType(size)), .through_names = true};
  int64_t bound = -1;
  *all = true;
  for (intptr_t i = 0, n = num_terms(size); i < n; ++i) {
    MlirAffineExpr e = term(&l, size, i);
    TtIndexRange range;
    bool constant = mlirAffineExprIsAConstant(e);
    *all &= constant;
    if (!constant && (l.n == MAX_LEAVES || !tt_loaded_range(e, l.values, l.n, &range))) continue;
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
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  l->context = mlirTypeGetContext(mlirValueGetType(size));
  l->through_names = true;
  bool found = false;
  for (intptr_t i = 0, n = num_terms(size); i < n; ++i) {
    MlirAffineExpr e = term(l, size, i);
    if (mlirAffineExprIsAConstant(e)) continue;
    e = mlirSimplifyAffineExpr(mlirAffineAddExprGet(e, to_expr(l, offset)), MAX_LEAVES, 0);
    if (l->n == MAX_LEAVES) return false;
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
  Leaves *l = tt_arena_alloc(arena, sizeof *l);
  MlirAffineExpr *results = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *results);
  l->context = mlirTypeGetContext(mlirValueGetType(values[0]));
  l->through_names = true;
  for (intptr_t i = 0; i < n; ++i)
    results[i] = mlirSimplifyAffineExpr(to_expr(l, values[i]), MAX_LEAVES, 0);
  if (l->n == MAX_LEAVES) return false;
  *map = mlirAffineMapGet(l->context, l->n, 0, n, results);
  *leaves = l->values, *num_leaves = l->n;
  return true;
}
