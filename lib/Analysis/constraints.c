/*===- constraints.c - index arithmetic as linear constraints --------------------------------===
 *
 *   scf.forall (%b) in (8) { scf.for %k = 0 to 64 step 32 { … %b floordiv 2 … } }
 *
 *   columns  b, k, q, t     rows  b >= 0, 7 - b >= 0, k = 32 t, t >= 0, 63 - k >= 0,
 *                                 b - 2 q >= 0, 2 q + 1 - b >= 0
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/constraints.h"

#include "Analysis/index_expr.h"
#include "Support/integers.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

enum { BOTH = -1, HELPER = 2, MAX_DEPTH = 64 };

TtConstraints tt_constraints(TtArena *arena, MlirOperation root) {
  return (TtConstraints){.arena = arena, .root = root, .exact = true};
}

static TtLinear constant(int64_t value) { return (TtLinear){.constant = value}; }

/* a + factor * b, or what is nearest to it in 64 bits: places as far away are in no tensor. */
static int64_t add(int64_t a, int64_t b, int64_t factor) {
  int64_t product, sum;
  if (__builtin_mul_overflow(b, factor, &product))
    product = (b < 0) == (factor < 0) ? INT64_MAX : INT64_MIN;
  if (__builtin_add_overflow(a, product, &sum)) sum = product < 0 ? INT64_MIN : INT64_MAX;
  return sum;
}

TtLinear tt_linear_add(TtLinear a, TtLinear b, int64_t factor) {
  for (int i = 0; i < TT_MAX_COLUMNS; ++i) a.factor[i] = add(a.factor[i], b.factor[i], factor);
  a.constant = add(a.constant, b.constant, factor);
  return a;
}

void tt_require(TtConstraints *c, TtLinear row) {
  if (c->num_rows == c->capacity) {
    c->capacity = c->capacity ? 2 * c->capacity : 32;
    TtLinear *rows = tt_arena_alloc(c->arena, (size_t)c->capacity * sizeof *rows);
    for (int i = 0; i < c->num_rows; ++i) rows[i] = c->rows[i];
    c->rows = rows;
  }
  c->rows[c->num_rows++] = row;
}

static TtLinear column(TtConstraints *c, MlirValue value, int run, int *at) {
  if (c->n == TT_MAX_COLUMNS) c->overflow = true;
  *at = c->overflow ? 0 : c->n++;
  c->values[*at] = value, c->run[*at] = run;
  TtLinear sum = constant(0);
  sum.factor[*at] = 1;
  return sum;
}

/* Whether `value` may differ between steps of loops in the root, or of the root. */
static bool varies(const TtConstraints *c, MlirValue value, int depth) {
  if (depth == MAX_DEPTH) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) {
    MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    for (; !mlirOperationIsNull(owner); owner = tt_parent(owner))
      if (tt_op_eq(owner, c->root)) return true;
    return false;
  }
  if (mlirOperationGetNumRegions(op) > 0 || tt_op_is(op, "memref.load") ||
      tt_op_is(op, "linalg.index"))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (varies(c, mlirOperationGetOperand(op, i), depth + 1)) return true;
  return false;
}

static TtLinear of_expr(TtConstraints *c, MlirAffineExpr e, const MlirValue *leaves, int run);

TtLinear tt_linear_any(TtConstraints *c) {
  int at;
  return column(c, (MlirValue){NULL}, HELPER, &at);
}

/* The quotient of `x` by a positive constant, rounded down: q with 0 <= x - d q <= d - 1. */
TtLinear tt_linear_quotient(TtConstraints *c, TtLinear x, int64_t divisor) {
  TtLinear q = tt_linear_any(c);
  TtLinear rest = tt_linear_add(x, q, -divisor);
  tt_require(c, rest);
  tt_require(c, tt_linear_add(constant(divisor - 1), rest, -1));
  return q;
}

/* lower <= value < upper, in steps from `lower` on. */
static void in_steps(TtConstraints *c, TtLinear value, TtLinear lower, TtLinear upper,
                     int64_t step) {
  tt_require(c, tt_linear_add(value, lower, -1));
  tt_require(c, tt_linear_add(tt_linear_add(upper, value, -1), constant(1), -1));
  if (step == 1) return;
  TtLinear rest = tt_linear_add(tt_linear_add(value, lower, -1), tt_linear_any(c), -step);
  tt_require(c, rest);
  tt_require(c, tt_linear_add(constant(0), rest, -1));
}

enum { MOST_TERMS = 8 };

/* The operands of an affine op as leaves of its maps, those of `map` from operand `first` on, whose
 * symbols become dimensions. */
static const MlirValue *leaves_of(TtConstraints *c, MlirOperation op, intptr_t first,
                                  MlirAffineMap *map) {
  MlirContext context = mlirAffineMapGetContext(*map);
  intptr_t dims = mlirAffineMapGetNumDims(*map), symbols = mlirAffineMapGetNumSymbols(*map),
           n = dims + symbols;
  MlirValue *leaves = tt_arena_alloc(c->arena, (size_t)(n + 1) * sizeof *leaves);
  for (intptr_t i = 0; i < n; ++i) leaves[i] = mlirOperationGetOperand(op, first + i);
  for (intptr_t i = 0; i < symbols; ++i)
    *map = mlirAffineMapReplace(*map, mlirAffineSymbolExprGet(context, i),
                                mlirAffineDimExprGet(context, dims + i), n, symbols);
  return leaves;
}

/* What `value` is the minimum of: how many terms, 0 where it is none. */
static intptr_t terms_of_min(TtConstraints *c, MlirValue value, int run, TtLinear *terms) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) return 0;
  if (tt_op_is(op, "arith.minsi") || tt_op_is(op, "arith.minui")) {
    for (intptr_t i = 0; i < 2; ++i)
      terms[i] = tt_linear_of(c, mlirOperationGetOperand(op, i), run);
    return 2;
  }
  if (!tt_op_is(op, "affine.min")) return 0;
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  intptr_t results = mlirAffineMapGetNumResults(map);
  if (results > MOST_TERMS) return 0;
  const MlirValue *leaves = leaves_of(c, op, 0, &map);
  for (intptr_t i = 0; i < results; ++i)
    terms[i] = of_expr(c, mlirAffineMapGetResult(map, i), leaves, run);
  return results;
}

static void bound_for(TtConstraints *c, MlirOperation loop, TtLinear value, int run) {
  int64_t step;
  if (!tt_constant(mlirOperationGetOperand(loop, 2), &step) || step <= 0) {
    step = 1;
    c->exact = false;
  }
  TtLinear lower = tt_linear_of(c, mlirOperationGetOperand(loop, 0), run), ends[MOST_TERMS];
  intptr_t n = terms_of_min(c, mlirOperationGetOperand(loop, 1), run, ends);
  if (n == 0) ends[n++] = tt_linear_of(c, mlirOperationGetOperand(loop, 1), run);
  for (intptr_t i = 0; i < n; ++i) in_steps(c, value, lower, ends[i], i == 0 ? step : 1);
}

/* A bound of an scf.forall: number `d` of `name`, whose dynamic ones are operands from `first`
 * on. */
static TtLinear forall_bound(TtConstraints *c, MlirOperation loop, const char *name, intptr_t d,
                             intptr_t first) {
  MlirAttribute all = tt_op_attr(loop, name);
  for (intptr_t i = 0; i < d; ++i) first += mlirDenseI64ArrayGetElement(all, i) == INT64_MIN;
  int64_t value = mlirDenseI64ArrayGetElement(all, d);
  return value == INT64_MIN ? tt_linear_of(c, mlirOperationGetOperand(loop, first), BOTH)
                            : constant(value);
}

static intptr_t num_dynamic(MlirOperation loop, const char *name) {
  MlirAttribute all = tt_op_attr(loop, name);
  intptr_t n = 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(all); ++i)
    n += mlirDenseI64ArrayGetElement(all, i) == INT64_MIN;
  return n;
}

static void bound_forall(TtConstraints *c, MlirOperation loop, MlirValue iv, TtLinear value) {
  intptr_t d = mlirBlockArgumentGetArgNumber(iv), lowers = num_dynamic(loop, "staticLowerBound");
  int64_t step = mlirDenseI64ArrayGetElement(tt_op_attr(loop, "staticStep"), d);
  if (step == INT64_MIN || step <= 0) {
    step = 1;
    c->exact = false;
  }
  in_steps(c, value, forall_bound(c, loop, "staticLowerBound", d, 0),
           forall_bound(c, loop, "staticUpperBound", d, lowers), step);
}

/* Variable `d` of an scf.parallel, whose bounds are operands. */
static void bound_parallel(TtConstraints *c, MlirOperation loop, intptr_t d, TtLinear value,
                           int run) {
  intptr_t dims = mlirOperationGetNumOperands(loop) / 3;
  int64_t step;
  if (d >= dims) {
    c->exact = false;
    return;
  }
  if (!tt_constant(mlirOperationGetOperand(loop, 2 * dims + d), &step) || step <= 0) {
    step = 1;
    c->exact = false;
  }
  in_steps(c, value, tt_linear_of(c, mlirOperationGetOperand(loop, d), run),
           tt_linear_of(c, mlirOperationGetOperand(loop, dims + d), run), step);
}

/* Variable `d` of an affine.parallel, whose bounds are maps; those that are the least or greatest
 * of several are not said. */
static void bound_affine_parallel(TtConstraints *c, MlirOperation loop, intptr_t d, TtLinear value,
                                  int run) {
  MlirAffineMap lower = mlirAffineMapAttrGetValue(tt_op_attr(loop, "lowerBoundsMap")),
                upper = mlirAffineMapAttrGetValue(tt_op_attr(loop, "upperBoundsMap"));
  intptr_t dims = mlirBlockGetNumArguments(tt_body(loop)),
           inputs = mlirAffineMapGetNumInputs(lower);
  if (mlirAffineMapGetNumResults(lower) != dims || mlirAffineMapGetNumResults(upper) != dims) {
    c->exact = false;
    return;
  }
  const MlirValue *low = leaves_of(c, loop, 0, &lower), *up = leaves_of(c, loop, inputs, &upper);
  int64_t step = tt_int(mlirArrayAttrGetElement(tt_op_attr(loop, "steps"), d));
  in_steps(c, value, of_expr(c, mlirAffineMapGetResult(lower, d), low, run),
           of_expr(c, mlirAffineMapGetResult(upper, d), up, run), step);
}

/* `sum`, the column of a minimum, is at most each of what it is the minimum of. */
static void bound_min(TtConstraints *c, MlirValue value, TtLinear sum, int run) {
  TtLinear terms[MOST_TERMS];
  intptr_t n = terms_of_min(c, value, run, terms);
  for (intptr_t i = 0; i < n; ++i) tt_require(c, tt_linear_add(terms[i], sum, -1));
}

/* A value that is no sum of others. */
static TtLinear leaf(TtConstraints *c, MlirValue value, int run) {
  int at;
  if (!varies(c, value, 0)) run = BOTH;
  for (int i = 0; i < c->n; ++i)
    if (c->run[i] == run && tt_value_eq(c->values[i], value)) {
      TtLinear known = constant(0);
      known.factor[i] = 1;
      return known;
    }
  TtLinear sum = column(c, value, run, &at);
  if (c->overflow) return sum;
  MlirOperation op = tt_defining_op(value);
  if (!mlirOperationIsNull(op) || run == BOTH) {
    c->exact = c->exact && run == BOTH;
    if (!mlirOperationIsNull(op) && mlirTypeIsAIndex(mlirValueGetType(value)))
      bound_min(c, value, sum, run);
    if (mlirTypeIsAIndex(mlirValueGetType(value)) && run == BOTH) tt_require(c, sum);
    return sum;
  }
  MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (tt_op_is(owner, "scf.for") && mlirBlockArgumentGetArgNumber(value) == 0)
    bound_for(c, owner, sum, run);
  else if (tt_op_is(owner, "scf.forall")) bound_forall(c, owner, value, sum);
  else if (tt_op_is(owner, "scf.parallel"))
    bound_parallel(c, owner, mlirBlockArgumentGetArgNumber(value), sum, run);
  else if (tt_op_is(owner, "affine.parallel"))
    bound_affine_parallel(c, owner, mlirBlockArgumentGetArgNumber(value), sum, run);
  else c->exact = false;
  return sum;
}

static TtLinear scaled(TtLinear x, int64_t by) { return tt_linear_add(constant(0), x, by); }

static TtLinear of_expr(TtConstraints *c, MlirAffineExpr e, const MlirValue *leaves, int run) {
  if (mlirAffineExprIsAConstant(e)) return constant(mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e)) return leaf(c, leaves[mlirAffineDimExprGetPosition(e)], run);
  TtLinear x = of_expr(c, mlirAffineBinaryOpExprGetLHS(e), leaves, run),
           y = of_expr(c, mlirAffineBinaryOpExprGetRHS(e), leaves, run);
  if (mlirAffineExprIsAAdd(e)) return tt_linear_add(x, y, 1);
  if (mlirAffineExprIsAMul(e)) return scaled(x, y.constant);
  if (mlirAffineExprIsACeilDiv(e))
    return tt_linear_quotient(c, tt_linear_add(x, constant(y.constant - 1), 1), y.constant);
  TtLinear q = tt_linear_quotient(c, x, y.constant);
  return mlirAffineExprIsAFloorDiv(e) ? q : tt_linear_add(x, q, -y.constant);
}

TtLinear tt_linear_of(TtConstraints *c, MlirValue value, int run) {
  MlirAffineMap map;
  const MlirValue *leaves;
  intptr_t n;
  if (!mlirTypeIsAIndex(mlirValueGetType(value)) ||
      !tt_index_map(c->arena, &value, 1, &map, &leaves, &n))
    return leaf(c, value, run);
  return of_expr(c, mlirAffineMapGetResult(map, 0), leaves, run);
}

/*===- Conditions ------------------------------------------------------------------------===*/

/* arith.cmpi predicates; unsigned ones are of indices, which are not negative. */
enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

static void require_compare(TtConstraints *c, MlirOperation compare, bool holds, int run) {
  static const int negated[] = {NE, EQ, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT};
  int64_t predicate = tt_int(tt_op_attr(compare, "predicate"));
  if (!holds) predicate = negated[predicate];
  if (predicate == NE) {
    c->exact = false; /* two halves; neither is required */
    return;
  }
  TtLinear a = tt_linear_of(c, mlirOperationGetOperand(compare, 0), run),
           b = tt_linear_of(c, mlirOperationGetOperand(compare, 1), run);
  TtLinear above = tt_linear_add(a, b, -1), below = tt_linear_add(b, a, -1);
  bool less = predicate == SLT || predicate == ULT, more = predicate == SGT || predicate == UGT;
  if (predicate == EQ || predicate == SGE || predicate == UGE || more)
    tt_require(c, tt_linear_add(above, constant(more), -1));
  if (predicate == EQ || predicate == SLE || predicate == ULE || less)
    tt_require(c, tt_linear_add(below, constant(less), -1));
}

static void require_condition(TtConstraints *c, MlirValue condition, bool holds, int run) {
  MlirOperation op = tt_defining_op(condition);
  if (tt_op_is(op, "arith.cmpi") &&
      mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, 0)))) {
    require_compare(c, op, holds, run);
  } else if (tt_op_is(op, holds ? "arith.andi" : "arith.ori")) {
    require_condition(c, mlirOperationGetOperand(op, 0), holds, run);
    require_condition(c, mlirOperationGetOperand(op, 1), holds, run);
  } else {
    c->exact = false;
  }
}

void tt_require_conditions(TtConstraints *c, MlirOperation op, int run) {
  for (MlirOperation inner = op, p = tt_parent(op);
       !mlirOperationIsNull(p) && !tt_op_eq(p, c->root); inner = p, p = tt_parent(p)) {
    if (!tt_op_is(p, "scf.if")) continue;
    bool holds = mlirRegionEqual(mlirBlockGetParentRegion(mlirOperationGetBlock(inner)),
                                 mlirOperationGetRegion(p, 0));
    require_condition(c, mlirOperationGetOperand(p, 0), holds, run);
  }
}

/*===- Solutions ---------------------------------------------------------------------------===*/

bool tt_solve(const TtConstraints *c, int64_t *x) {
  size_t width = (size_t)c->n + 1;
  int64_t *rows = tt_arena_alloc(c->arena, ((size_t)c->num_rows + 1) * width * sizeof *rows);
  for (int i = 0; i < c->num_rows; ++i) {
    for (int j = 0; j < c->n; ++j) rows[(size_t)i * width + (size_t)j] = c->rows[i].factor[j];
    rows[(size_t)i * width + (size_t)c->n] = c->rows[i].constant;
  }
  return tt_find_integers(c->n, c->num_rows, rows, x);
}

int64_t tt_linear_at(const TtConstraints *c, const TtLinear *sum, const int64_t *x) {
  int64_t value = sum->constant;
  for (int i = 0; i < c->n; ++i) value += sum->factor[i] * x[i];
  return value;
}
