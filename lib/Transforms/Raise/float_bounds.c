/*===- float_bounds.c - floats that are small integers ------------------------------------------===
 *
 *   max(min(x, 100), -100)     [-100, 100]       by the constants
 *   10 * tanh(x), rounded      [-11, 11]         by the function
 *   log(x) of x in [0, 64]     [-104, 4.16]      of what is no infinity, which is no integer
 *   x : f16                    [-65504, 65504]   by the type
 *   x of %X, tt.range = [0, 9] [0, 9]            by what the tensor, or the argument, holds
 *
 * A NaN becomes whatever the chip makes of it, as it does of one that becomes an i32.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/integer_bounds.h"

#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Transforms/Tile/block.h"

#include <math.h>

/* An expression of two operands each that has more of them takes too long to follow. */
enum { DEEPEST = 12 };

/* `pole`: may be infinite as well, or what is computed of that. */
typedef struct FloatBounds {
  double lo, hi;
  bool pole;
} FloatBounds;

static bool float_bounds(MlirOperation linalg, MlirValue value, FloatBounds *b, int depth);

static bool is_any(MlirOperation op, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

static void float_extremes(const double v[4], FloatBounds *b) {
  *b = (FloatBounds){v[0], v[0], false};
  for (int i = 1; i < 4; ++i) b->lo = fmin(b->lo, v[i]), b->hi = fmax(b->hi, v[i]);
}

/* Of two operands of which one at least is bounded on either side. */
static bool of_two_floats(MlirOperation op, FloatBounds x, FloatBounds y, FloatBounds *b) {
  if (tt_op_is(op, "arith.maximumf") || tt_op_is(op, "arith.maxnumf"))
    return *b = (FloatBounds){fmax(x.lo, y.lo), fmax(x.hi, y.hi), false}, true;
  if (tt_op_is(op, "arith.minimumf") || tt_op_is(op, "arith.minnumf"))
    return *b = (FloatBounds){fmin(x.lo, y.lo), fmin(x.hi, y.hi), false}, true;
  if (isinf(x.lo) || isinf(x.hi) || isinf(y.lo) || isinf(y.hi)) return false;
  if (tt_op_is(op, "arith.addf")) return *b = (FloatBounds){x.lo + y.lo, x.hi + y.hi, false}, true;
  if (tt_op_is(op, "arith.subf")) return *b = (FloatBounds){x.lo - y.hi, x.hi - y.lo, false}, true;
  if (tt_op_is(op, "arith.mulf"))
    return float_extremes((double[]){x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi}, b), true;
  if (tt_op_is(op, "arith.divf") && !y.pole && (y.lo > 0 || y.hi < 0))
    return float_extremes((double[]){x.lo / y.lo, x.lo / y.hi, x.hi / y.lo, x.hi / y.hi}, b), true;
  return false;
}

/* A logarithm of what is not negative: of nothing, it is infinite, and no integer. */
static bool of_logarithm(MlirOperation op, FloatBounds *b) {
  enum { LEAST_EXPONENT = -149 }; /* of the smallest f32 */
  double scale = tt_op_is(op, "math.log2")    ? 1 / log(2)
                 : tt_op_is(op, "math.log10") ? 1 / log(10)
                                              : 1,
         least = b->lo > 0 ? b->lo : exp2(LEAST_EXPONENT);
  if (b->lo < 0 || isinf(b->hi) || b->hi <= 0) return false;
  return *b = (FloatBounds){scale * log(least), scale * log(b->hi), b->lo <= 0 || b->pole}, true;
}

static bool of_one_float(MlirOperation linalg, MlirOperation op, FloatBounds *b, int depth) {
  static const char *const same[] = {"arith.extf", "arith.truncf"},
                           *const rounded[] = {"math.floor", "math.ceil", "math.round",
                                               "math.roundeven", "math.trunc"},
                           *const small[] = {"math.tanh", "math.sin", "math.cos", "math.erf"},
                           *const logarithms[] = {"math.log", "math.log2", "math.log10"};
  MlirValue first = mlirOperationGetOperand(op, 0);
  TtBounds integer;
  if (is_any(op, small, sizeof small / sizeof *small))
    return *b = (FloatBounds){-1, 1, false}, true;
  if (tt_op_is(op, "arith.sitofp") || tt_op_is(op, "arith.uitofp")) {
    if (!tt_integer_bounds(linalg, first, &integer)) return false;
    if (tt_op_is(op, "arith.uitofp") && integer.lo < 0) integer = (TtBounds){0, INT64_C(1) << 32};
    return *b = (FloatBounds){(double)integer.lo, (double)integer.hi, false}, true;
  }
  if (!float_bounds(linalg, first, b, depth + 1)) return false;
  if (is_any(op, same, sizeof same / sizeof *same)) return true;
  if (is_any(op, rounded, sizeof rounded / sizeof *rounded)) return b->lo -= 1, b->hi += 1, true;
  if (is_any(op, logarithms, sizeof logarithms / sizeof *logarithms)) return of_logarithm(op, b);
  if (tt_op_is(op, "math.sqrt") && b->lo >= 0)
    return *b = (FloatBounds){sqrt(b->lo), sqrt(b->hi), b->pole}, true;
  if (tt_op_is(op, "arith.negf")) return *b = (FloatBounds){-b->hi, -b->lo, b->pole}, true;
  if (tt_op_is(op, "math.absf"))
    return *b = (FloatBounds){0, fmax(fabs(b->lo), fabs(b->hi)), b->pole}, true;
  return false;
}

/* What tt.range says of an argument of the kernel that `value` is, or is an element of. */
static bool of_argument(MlirOperation linalg, MlirValue value, FloatBounds *b) {
  if (!mlirValueIsABlockArgument(value)) return false;
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  if (mlirBlockEqual(block, tt_body(linalg))) {
    if (i >= tt_linalg_num_inputs(linalg)) return false; /* what it held before */
    value = mlirOperationGetOperand(linalg, i);
    if (tt_is_memref(mlirValueGetType(value))) value = tt_view_root(value);
    if (!mlirValueIsABlockArgument(value)) return false;
    block = mlirBlockArgumentGetOwner(value), i = mlirBlockArgumentGetArgNumber(value);
  }
  MlirOperation func = mlirBlockGetParentOperation(block);
  if (!tt_is_function(func)) return false;
  TtRange range = tt_arg_range(func, i);
  return *b = (FloatBounds){(double)range.lo, (double)range.hi, false}, range.given;
}

/* What is not known is infinite. */
static bool float_bounds(MlirOperation linalg, MlirValue value, FloatBounds *b, int depth) {
  enum { MOST_OF_F16 = 65504 };
  MlirOperation op = tt_defining_op(value);
  bool f16 = mlirTypeIsAF16(mlirValueGetType(value));
  *b = f16 ? (FloatBounds){-MOST_OF_F16, MOST_OF_F16, false}
           : (FloatBounds){-INFINITY, INFINITY, false};
  FloatBounds given;
  if (mlirOperationIsNull(op) && of_argument(linalg, value, &given)) return *b = given, true;
  if (depth > DEEPEST || mlirOperationIsNull(op) || mlirOperationGetNumOperands(op) > 3)
    return true;
  if (tt_op_is(op, "arith.constant")) {
    double constant = mlirFloatAttrGetValueDouble(tt_op_attr(op, "value"));
    return *b = (FloatBounds){constant, constant, false}, true;
  }
  FloatBounds x, y;
  intptr_t n = mlirOperationGetNumOperands(op), from = tt_op_is(op, "arith.select");
  bool known = false, pole = false;
  if (n == 1) {
    known = of_one_float(linalg, op, &x, depth);
  } else if (n == from + 2 && mlirOperationGetNumRegions(op) == 0) {
    float_bounds(linalg, mlirOperationGetOperand(op, from), &x, depth + 1);
    float_bounds(linalg, mlirOperationGetOperand(op, from + 1), &y, depth + 1);
    if (from) x = (FloatBounds){fmin(x.lo, y.lo), fmax(x.hi, y.hi), x.pole}, known = true;
    else pole = x.pole || y.pole, known = of_two_floats(op, x, y, &x);
    x.pole |= pole || y.pole;
  }
  if (known) *b = (FloatBounds){fmax(x.lo, b->lo), fmin(x.hi, b->hi), x.pole};
  return true;
}

bool tt_bounds_of_float(MlirOperation linalg, MlirValue value, TtBounds *b) {
  FloatBounds f;
  if (!float_bounds(linalg, value, &f, 0) || f.lo < (double)INT32_MIN || f.hi > (double)INT32_MAX)
    return false;
  return *b = (TtBounds){(int64_t)f.lo, (int64_t)f.hi}, true;
}

bool tt_float_fits_32_bits(MlirOperation linalg, MlirValue value) {
  TtBounds b;
  return tt_bounds_of_float(linalg, value, &b);
}
