/*===- index_table.c - what a number is in each step of a loop ---------------------------------===
 *
 *   for %i = 0 to 6 { %f = sitofp %i   %h = mulf %f, 0.5   %k = fptosi %h }    %k: 0 0 1 1 2 2
 *
 * computed as the kernel would, floats of 32 bits with 32 bits. What is not known to be the same on
 * any machine, as a float that is too large for an integer, is no table.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/index_table.h"

#include "Analysis/index_expr.h"

#include "mlir-c/AffineExpr.h"

#include <math.h>

enum { DEEPEST = 48 };

typedef struct Number {
  bool is_float;
  int64_t i;
  double f;
} Number;

typedef struct Step {
  MlirValue iv;
  int64_t at;
} Step;

static int64_t width_of(MlirType type) {
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
}

/* Whether an integer fits its type, with a sign; flags have none. */
static bool fits(MlirType type, int64_t i) {
  int64_t width = width_of(type);
  if (width == 1) return i == 0 || i == 1;
  int64_t half = width < 64 ? (int64_t)1 << (width - 1) : 0;
  return width == 64 || (i >= -half && i < half);
}

static int64_t floor_div(int64_t x, int64_t y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

/*===- Ops -----------------------------------------------------------------------------------===*/

/* Whether an op on integers has a value that needs no more than 62 bits. */
static bool integers(MlirOperation op, int64_t x, int64_t y, int64_t *r) {
  const int64_t large = (int64_t)1 << 31;
  bool small = x < large && x > -large && y < large && y > -large, above = x >= 0 && y >= 0;
  if (!small) return false;
  if (tt_op_is(op, "arith.addi")) return *r = x + y, true;
  if (tt_op_is(op, "arith.subi")) return *r = x - y, true;
  if (tt_op_is(op, "arith.muli")) return *r = x * y, true;
  if (tt_op_is(op, "arith.minsi") || (above && tt_op_is(op, "arith.minui")))
    return *r = x < y ? x : y, true;
  if (tt_op_is(op, "arith.maxsi") || (above && tt_op_is(op, "arith.maxui")))
    return *r = x > y ? x : y, true;
  if (tt_op_is(op, "arith.andi")) return *r = x & y, true;
  if (tt_op_is(op, "arith.ori")) return *r = x | y, true;
  if (tt_op_is(op, "arith.xori")) return *r = x ^ y, true;
  if (tt_op_is(op, "arith.shli") && above && y < 31) return *r = x << y, true;
  if ((tt_op_is(op, "arith.shrsi") || tt_op_is(op, "arith.shrui")) && above && y < 31)
    return *r = x >> y, true;
  if (y == 0) return false;
  if (tt_op_is(op, "arith.divsi") || (above && tt_op_is(op, "arith.divui")))
    return *r = x / y, true;
  if (tt_op_is(op, "arith.remsi") || (above && tt_op_is(op, "arith.remui")))
    return *r = x % y, true;
  if (tt_op_is(op, "arith.floordivsi")) return *r = floor_div(x, y), true;
  if (tt_op_is(op, "arith.ceildivsi")) return *r = -floor_div(-x, y), true;
  return false;
}

static bool compares(int64_t predicate, int64_t x, int64_t y, int64_t *r) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };
  if (predicate >= ULT && (x < 0 || y < 0)) return false;
  switch (predicate) {
  case EQ: return *r = x == y, true;
  case NE: return *r = x != y, true;
  case SLT:
  case ULT: return *r = x < y, true;
  case SLE:
  case ULE: return *r = x <= y, true;
  case SGT:
  case UGT: return *r = x > y, true;
  case SGE:
  case UGE: return *r = x >= y, true;
  default: return false;
  }
}

static bool floats(MlirOperation op, double x, double y, double *r) {
  if (tt_op_is(op, "arith.addf")) return *r = x + y, true;
  if (tt_op_is(op, "arith.subf")) return *r = x - y, true;
  if (tt_op_is(op, "arith.mulf")) return *r = x * y, true;
  if (tt_op_is(op, "arith.divf")) return *r = x / y, true;
  if (tt_op_is(op, "arith.maximumf") || tt_op_is(op, "arith.maxnumf"))
    return *r = x > y ? x : y, true;
  if (tt_op_is(op, "arith.minimumf") || tt_op_is(op, "arith.minnumf"))
    return *r = x < y ? x : y, true;
  return false;
}

static bool function(MlirOperation op, double x, double *r) {
  if (tt_op_is(op, "arith.negf")) return *r = -x, true;
  if (tt_op_is(op, "math.floor")) return *r = floor(x), true;
  if (tt_op_is(op, "math.ceil")) return *r = ceil(x), true;
  if (tt_op_is(op, "math.trunc")) return *r = trunc(x), true;
  if (tt_op_is(op, "math.round")) return *r = round(x), true;
  if (tt_op_is(op, "math.roundeven")) return *r = rint(x), true;
  if (tt_op_is(op, "math.absf")) return *r = fabs(x), true;
  return tt_op_is(op, "arith.extf") ? (*r = x, true) : false;
}

/* An affine expression of `dims` and `symbols`, one behind the other. */
static bool affine(MlirAffineExpr e, const int64_t *operands, intptr_t dims, int64_t *r) {
  if (mlirAffineExprIsAConstant(e)) return *r = mlirAffineConstantExprGetValue(e), true;
  if (mlirAffineExprIsADim(e)) return *r = operands[mlirAffineDimExprGetPosition(e)], true;
  if (mlirAffineExprIsASymbol(e))
    return *r = operands[dims + mlirAffineSymbolExprGetPosition(e)], true;
  int64_t x, y;
  if (!affine(mlirAffineBinaryOpExprGetLHS(e), operands, dims, &x) ||
      !affine(mlirAffineBinaryOpExprGetRHS(e), operands, dims, &y))
    return false;
  if (mlirAffineExprIsAAdd(e)) return *r = x + y, true;
  if (mlirAffineExprIsAMul(e)) return *r = x * y, true;
  if (y <= 0) return false;
  *r = mlirAffineExprIsAMod(e)        ? x - floor_div(x, y) * y
       : mlirAffineExprIsAFloorDiv(e) ? floor_div(x, y)
                                      : -floor_div(-x, y);
  return true;
}

/*===- Values --------------------------------------------------------------------------------===*/

static bool evaluate(const Step *step, MlirValue value, int depth, Number *n);

/* Whether a map uses operand `i`; of symbols, that it may. */
static bool uses_operand(MlirAffineMap map, intptr_t i) {
  bool uses = i >= mlirAffineMapGetNumDims(map);
  for (intptr_t k = 0; !uses && k < mlirAffineMapGetNumResults(map); ++k)
    uses = mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, k), i);
  return uses;
}

static bool evaluate_affine(const Step *step, MlirOperation op, int depth, int64_t *r) {
  enum { MOST = 16 };
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  int64_t operands[MOST];
  intptr_t n = mlirOperationGetNumOperands(op);
  bool least = tt_op_is(op, "affine.min"), apply = tt_op_is(op, "affine.apply");
  if (n > MOST || (!apply && !least && !tt_op_is(op, "affine.max"))) return false;
  for (intptr_t i = 0; i < n; ++i) {
    Number x;
    operands[i] = 0;
    if (!uses_operand(map, i)) continue;
    if (!evaluate(step, mlirOperationGetOperand(op, i), depth, &x) || x.is_float) return false;
    operands[i] = x.i;
  }
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i) {
    int64_t one;
    if (!affine(mlirAffineMapGetResult(map, i), operands, mlirAffineMapGetNumDims(map), &one))
      return false;
    if (i == 0 || (least ? one < *r : one > *r)) *r = one;
  }
  return true;
}

/* Casts, but for those between floats. */
static bool cast(MlirOperation op, const Number *x, Number *n) {
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (tt_op_is(op, "arith.sitofp") || (tt_op_is(op, "arith.uitofp") && x->i >= 0))
    return *n = (Number){true, 0, (double)x->i}, true;
  if (tt_op_is(op, "arith.fptosi") || (tt_op_is(op, "arith.fptoui") && x->f >= 0)) {
    if (!(fabs(x->f) < 2147483648.0)) return false;
    return *n = (Number){false, (int64_t)x->f, 0}, true;
  }
  if (tt_op_is(op, "arith.extui") && x->i < 0) return false;
  if (tt_op_is(op, "arith.extsi") && width_of(from) == 1)
    return *n = (Number){false, -x->i, 0}, true;
  *n = (Number){false, x->i, 0};
  return tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.extsi") ||
         tt_op_is(op, "arith.extui") || tt_op_is(op, "arith.trunci") ||
         (tt_op_is(op, "arith.index_castui") && x->i >= 0);
}

static bool constant(MlirOperation op, Number *n) {
  MlirAttribute value = tt_op_attr(op, "value");
  *n = (Number){mlirAttributeIsAFloat(value), 0, 0};
  if (n->is_float) return n->f = mlirFloatAttrGetValueDouble(value), true;
  bool flag = width_of(mlirAttributeGetType(value)) == 1;
  if (!mlirAttributeIsAInteger(value)) return false;
  n->i = mlirIntegerAttrGetValueInt(value);
  if (flag) n->i = n->i != 0;
  return true;
}

static bool of_two(MlirOperation op, const Number *x, const Number *y, Number *n) {
  n->is_float = x->is_float && !tt_op_is(op, "arith.cmpf");
  if (tt_op_is(op, "arith.cmpi"))
    return compares(tt_int(tt_op_attr(op, "predicate")), x->i, y->i, &n->i);
  return x->is_float ? floats(op, x->f, y->f, &n->f) : integers(op, x->i, y->i, &n->i);
}

static bool evaluate_op(const Step *step, MlirOperation op, int depth, Number *n) {
  Number x[3] = {{0}};
  intptr_t operands = mlirOperationGetNumOperands(op);
  if (tt_op_is(op, "arith.constant")) return constant(op, n);
  if (tt_op_is(op, "affine.apply") || tt_op_is(op, "affine.min") || tt_op_is(op, "affine.max"))
    return *n = (Number){0}, evaluate_affine(step, op, depth, &n->i);
  if (operands == 0 || operands > 3 || mlirOperationGetNumResults(op) != 1) return false;
  for (intptr_t i = 0; i < operands; ++i)
    if (!evaluate(step, mlirOperationGetOperand(op, i), depth, &x[i])) return false;
  *n = (Number){0};
  if (tt_op_is(op, "arith.select")) return *n = x[x[0].i ? 1 : 2], true;
  if (operands == 2) return of_two(op, &x[0], &x[1], n);
  if (operands != 1) return false;
  n->is_float = x[0].is_float;
  return (x[0].is_float && function(op, x[0].f, &n->f)) || cast(op, &x[0], n);
}

/* Rounds a float to its type; false where that is no type of 32 or 64 bits, or it no number. */
static bool round_to(MlirType type, Number *n) {
  if (!n->is_float) return fits(type, n->i);
  if (mlirTypeIsAF32(type)) n->f = (float)n->f;
  else if (!mlirTypeIsAF64(type)) return false;
  return isfinite(n->f);
}

static bool evaluate(const Step *step, MlirValue value, int depth, Number *n) {
  if (tt_value_eq(value, step->iv)) return *n = (Number){false, step->at, 0}, true;
  MlirOperation op = tt_defining_op(value);
  return !mlirOperationIsNull(op) && depth > 0 && evaluate_op(step, op, depth - 1, n) &&
         round_to(mlirValueGetType(value), n);
}

bool tt_tabulate(MlirValue value, MlirValue iv, int64_t n, int64_t *table) {
  for (int64_t i = 0; i < n; ++i) {
    Step step = {iv, i};
    Number number;
    if (!evaluate(&step, value, DEEPEST, &number) || number.is_float) return false;
    table[i] = number.i;
  }
  return true;
}

/*===- Tables --------------------------------------------------------------------------------===*/

int64_t tt_table_period(const int64_t *table, int64_t n, int64_t most, int64_t *by) {
  for (int64_t period = 1; period <= most && 2 * period <= n; ++period) {
    bool same = true;
    *by = table[period] - table[0];
    for (int64_t i = 0; same && i + period < n; ++i) same = table[i + period] == table[i] + *by;
    if (same) return period;
  }
  return 0;
}

int64_t tt_table_prefix(const int64_t *table, int64_t n, int64_t most, int64_t *of) {
  int64_t longest = 0;
  for (int64_t period = 1; period <= most && 2 * period <= n; ++period) {
    int64_t by = table[period] - table[0], i = 0;
    while (i + period < n && table[i + period] == table[i] + by) ++i;
    int64_t prefix = (i + period) / period * period;
    if (prefix >= 2 * period && prefix > longest) longest = prefix, *of = period;
  }
  return longest;
}

int64_t tt_table_run(const int64_t *table, int64_t n) {
  int64_t run = n < 2 ? n : 2;
  while (run < n && table[run] - table[run - 1] == table[1] - table[0]) ++run;
  return run;
}
