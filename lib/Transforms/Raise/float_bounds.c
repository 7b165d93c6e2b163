/*===- float_bounds.c - floats that are small integers ------------------------------------------===
 *
 *   max(min(x, 100), -100)     [-100, 100]       by the constants
 *   10 * tanh(x), rounded      [-11, 11]         by the function
 *   log(x) of x in [0, 64]     [-104, 4.16]      of what is no infinity, which is no integer
 *   x : f16                    [-65504, 65504]   by the type
 *   x of %X, tt.range = [0, 9] [0, 9]            by what the tensor, or the argument, holds
 *   511 or less, in bf16       [.., 512]         which has 8 bits of it
 *   an element of a tensor     by what gives the tensor (float_tensor_bounds.c)
 *
 * A NaN becomes whatever the chip makes of it, as it does of one that becomes an i32.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/integer_bounds.h"

#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Transforms/Raise/running_sums.h"
#include "Transforms/Tile/block.h"

#include <math.h>

/* Values that are looked at, each as often as it is used: a body that is longer is not followed. */
enum { MOST_STEPS = 10000 };

typedef TtFloatBounds FloatBounds;

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

/* Of an integer that becomes a float. */
static bool of_converted(MlirOperation linalg, MlirOperation op, FloatBounds *b, int *left) {
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(from);
  int64_t width = mlirTypeIsAInteger(type) ? (int64_t)mlirIntegerTypeGetWidth(type) : 32;
  TtBounds integer = {-1, 0}; /* a flag, with its sign */
  if (width > 1 && !tt_integer_bounds_within(linalg, from, &integer, left)) return false;
  if (tt_op_is(op, "arith.uitofp") && integer.lo < 0)
    integer = (TtBounds){0, (INT64_C(1) << (width > 32 ? 32 : width)) - 1};
  return *b = (FloatBounds){(double)integer.lo, (double)integer.hi, false}, true;
}

static bool of_one_float(MlirOperation linalg, MlirOperation op, FloatBounds *b, int *left) {
  static const char *const same[] = {"arith.extf", "arith.truncf"},
                           *const rounded[] = {"math.floor", "math.ceil", "math.round",
                                               "math.roundeven", "math.trunc"},
                           *const small[] = {"math.tanh", "math.sin", "math.cos", "math.erf"},
                           *const logarithms[] = {"math.log", "math.log2", "math.log10"};
  MlirValue first = mlirOperationGetOperand(op, 0);
  if (is_any(op, small, sizeof small / sizeof *small))
    return *b = (FloatBounds){-1, 1, false}, true;
  if (tt_op_is(op, "arith.sitofp") || tt_op_is(op, "arith.uitofp"))
    return of_converted(linalg, op, b, left);
  if (!mlirTypeIsAFloat(mlirValueGetType(first))) return false;
  tt_float_bounds_within(linalg, first, b, left);
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

/* Of an element of a tensor, by what gives that, or of a kernel's argument. */
static bool of_argument(MlirOperation linalg, MlirValue value, FloatBounds *b, int *left) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  if (mlirBlockEqual(block, tt_body(linalg))) {
    if (i >= tt_linalg_num_inputs(linalg)) return false; /* what it held before */
    value = mlirOperationGetOperand(linalg, i);
    MlirType type = mlirValueGetType(value);
    if (mlirTypeIsATensor(type)) return tt_float_bounds_of_tensor(value, b, left);
    if (!mlirTypeIsAShaped(type)) return tt_float_bounds_within(linalg, value, b, left), true;
    value = tt_view_root(value);
    if (!mlirValueIsABlockArgument(value)) return false;
    block = mlirBlockArgumentGetOwner(value), i = mlirBlockArgumentGetArgNumber(value);
  }
  MlirOperation func = mlirBlockGetParentOperation(block);
  if (!tt_is_function(func)) return false;
  TtRange range = tt_arg_range(func, i);
  return *b = (FloatBounds){(double)range.lo, (double)range.hi, false}, range.given;
}

/* How many bits of a number the device keeps where it computes in this type. */
static int bits_of(MlirType type) {
  enum { BF16 = 8, TF32 = 11 };
  return mlirTypeIsABF16(type) ? BF16 : TF32;
}

/* The next number of so many bits, away from the others: rounding keeps the order of numbers. */
static double rounded_up(double x, int bits) {
  int exponent;
  if (isinf(x) || x == 0) return x;
  frexp(x, &exponent);
  return ldexp(ceil(ldexp(x, bits - exponent)), exponent - bits);
}

/* A sum of terms in `x` that is begun with `first`: where each bound is a whole number of so few
 * bits, rounding stays below it; else no step goes further than twice its term. */
static bool of_terms(FloatBounds first, FloatBounds x, int64_t n, int bits, FloatBounds *b) {
  if (isinf(first.lo) || isinf(first.hi) || isinf(x.lo) || isinf(x.hi)) return false;
  double lo = fmin(first.lo, 0) + (double)n * fmin(x.lo, 0),
         hi = fmax(first.hi, 0) + (double)n * fmax(x.hi, 0), most = ldexp(1, bits);
  bool whole = floor(first.lo) == first.lo && floor(first.hi) == first.hi && floor(x.lo) == x.lo &&
               floor(x.hi) == x.hi && lo >= -most && hi <= most;
  *b = (FloatBounds){whole ? lo : 2 * lo, whole ? hi : 2 * hi, first.pole || x.pole};
  return true;
}

/* Of a sum that goes on in an output, which is a tensor, or of the largest or the least so far. */
static bool of_running(MlirOperation linalg, MlirOperation op, FloatBounds *b, int *left) {
  bool adds = tt_op_is(op, "arith.addf"),
       most = tt_op_is(op, "arith.maximumf") || tt_op_is(op, "arith.maxnumf"),
       least = tt_op_is(op, "arith.minimumf") || tt_op_is(op, "arith.minnumf");
  intptr_t inputs = tt_linalg_num_inputs(linalg), n = mlirOperationGetNumOperands(linalg);
  if ((!adds && !most && !least) || !mlirBlockEqual(mlirOperationGetBlock(op), tt_body(linalg)))
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  for (intptr_t i = 0; i < 2 * (n - inputs); ++i) {
    intptr_t out = inputs + i / 2;
    MlirValue init = mlirOperationGetOperand(linalg, out),
              term = mlirOperationGetOperand(op, i % 2),
              old = tt_without_casts(mlirOperationGetOperand(op, 1 - i % 2)),
              given = mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(linalg)), i / 2);
    FloatBounds x, first;
    int64_t rounds;
    if (!mlirTypeIsATensor(mlirValueGetType(init)) || !tt_is_old(linalg, old, out) ||
        tt_is_old(linalg, tt_without_casts(term), out) || !tt_becomes(linalg, given, result, out) ||
        !tt_rounds(linalg, mlirOperationGetBlock(linalg), &rounds) ||
        !tt_float_bounds_of_tensor(init, &first, left))
      continue;
    int own = bits_of(mlirValueGetType(result)), kept = bits_of(mlirValueGetType(old));
    tt_float_bounds_within(linalg, term, &x, left);
    if (adds) return of_terms(first, x, rounds, own < kept ? own : kept, b);
    *b = most ? (FloatBounds){fmax(first.lo, x.lo), fmax(first.hi, x.hi), first.pole || x.pole}
              : (FloatBounds){fmin(first.lo, x.lo), fmin(first.hi, x.hi), first.pole || x.pole};
    return true;
  }
  return false;
}

static bool of_two_or_three(MlirOperation linalg, MlirOperation op, FloatBounds *b, int *left) {
  intptr_t n = mlirOperationGetNumOperands(op), from = tt_op_is(op, "arith.select");
  FloatBounds x, y;
  if (of_running(linalg, op, b, left)) return true;
  if (n != from + 2 || mlirOperationGetNumRegions(op) != 0) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, from + i);
    if (!mlirTypeIsAFloat(mlirValueGetType(operand))) return false;
    tt_float_bounds_within(linalg, operand, i == 0 ? &x : &y, left);
  }
  bool known = from || of_two_floats(op, x, y, b);
  if (from) *b = (FloatBounds){fmin(x.lo, y.lo), fmax(x.hi, y.hi), false};
  b->pole = x.pole || y.pole;
  return known;
}

void tt_float_bounds_within(MlirOperation linalg, MlirValue value, FloatBounds *b, int *left) {
  enum { MOST_OF_F16 = 65504 };
  MlirOperation op = tt_defining_op(value);
  MlirType type = mlirValueGetType(value);
  double most = mlirTypeIsAF16(type) ? MOST_OF_F16 : INFINITY;
  *b = (FloatBounds){-most, most, false};
  FloatBounds x;
  if (--*left < 0) return;
  if (mlirOperationIsNull(op)) {
    if (of_argument(linalg, value, &x, left)) *b = x;
    return;
  }
  if (tt_op_is(op, "arith.constant")) {
    double constant = mlirFloatAttrGetValueDouble(tt_op_attr(op, "value"));
    *b = (FloatBounds){constant, constant, false};
    return;
  }
  intptr_t n = mlirOperationGetNumOperands(op);
  bool known = tt_op_is(op, "tensor.extract")
                   ? tt_float_bounds_of_tensor(mlirOperationGetOperand(op, 0), &x, left)
               : n == 1 ? of_one_float(linalg, op, &x, left)
                        : n > 1 && of_two_or_three(linalg, op, &x, left);
  if (!known) return;
  double lo = -rounded_up(-x.lo, bits_of(type)), hi = rounded_up(x.hi, bits_of(type));
  *b = (FloatBounds){fmax(lo, b->lo), fmin(hi, b->hi), x.pole};
}

bool tt_bounds_of_float(MlirOperation linalg, MlirValue value, TtBounds *b, int *left) {
  FloatBounds f;
  tt_float_bounds_within(linalg, value, &f, left);
  if (!(f.lo >= (double)INT32_MIN) || !(f.hi <= (double)INT32_MAX)) return false;
  return *b = (TtBounds){(int64_t)f.lo, (int64_t)f.hi}, true;
}

bool tt_float_fits_32_bits(MlirOperation linalg, MlirValue value) {
  TtBounds b;
  int left = MOST_STEPS;
  return tt_bounds_of_float(linalg, value, &b, &left);
}
