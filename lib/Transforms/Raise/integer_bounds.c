/*===- integer_bounds.c - what integers in bodies may be ----------------------------------------===
 *
 *   linalg.index 0 of 50 rows            [0, 49]
 *   an element of %L, tt.range = [0, 40] [0, 40]
 *   of i64 without one                   what 32 bits hold: the host refuses others
 *   x + y, x * y, max, select, …         by the bounds of what they take
 *   %out + x, where all that the buffer  what it was filled with, and x as often as the loops that
 *   is given is constants and this sum   the buffer lies outside of, and those of the op, go round
 *   an element of a tensor (SSA)         by what gives the tensor (tensor_bounds.c)
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/integer_bounds.h"

#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Transforms/Raise/running_sums.h"
#include "Transforms/Tile/block.h"

#include "mlir-c/Dialect/Linalg.h"

/* Values that are looked at, each as often as it is used: a body that is longer is not followed. */
enum { MOST_STEPS = 10000 };

static bool bounds_of(MlirOperation linalg, MlirValue value, TtBounds *b, int *left);

bool tt_bounds_of_type(MlirType type, TtBounds *b) {
  int64_t width = mlirTypeIsAInteger(type) ? (int64_t)mlirIntegerTypeGetWidth(type) : 32;
  if (width > 32) width = 32; /* what the device has of it */
  *b = (TtBounds){-(INT64_C(1) << (width - 1)), (INT64_C(1) << (width - 1)) - 1};
  return true;
}

/* The argument of the kernel that `memref` is, or is a view of. */
static bool of_tensor(MlirOperation linalg, MlirValue memref, MlirType element, TtBounds *b) {
  MlirValue root = tt_view_root(memref);
  MlirOperation func = linalg;
  while (!mlirOperationIsNull(func) && !tt_is_function(func)) func = tt_parent(func);
  tt_bounds_of_type(element, b);
  if (mlirOperationIsNull(func) || !mlirValueIsABlockArgument(root)) return true;
  for (intptr_t i = 0; i < tt_num_args(func); ++i) {
    if (!tt_value_eq(tt_arg(func, i), root)) continue;
    TtRange range = tt_arg_range(func, i);
    if (range.given) *b = (TtBounds){range.lo, range.hi};
  }
  return true;
}

static bool extremes(const int64_t v[4], TtBounds *b) {
  *b = (TtBounds){v[0], v[0]};
  for (int i = 1; i < 4; ++i) {
    if (v[i] < b->lo) b->lo = v[i];
    if (v[i] > b->hi) b->hi = v[i];
  }
  return true;
}

static int64_t floor_div(int64_t x, int64_t c) {
  return x / c - (x % c != 0 && (x < 0) != (c < 0));
}

static int64_t min_of(int64_t x, int64_t y) { return x < y ? x : y; }
static int64_t max_of(int64_t x, int64_t y) { return x > y ? x : y; }

static bool of_arithmetic(MlirOperation op, TtBounds x, TtBounds y, TtBounds *b) {
  int64_t v[4];
  bool positive = x.lo >= 0 && y.lo >= 0, divides_up = y.lo == y.hi && y.lo > 0;
  if (tt_op_is(op, "arith.addi"))
    return !__builtin_add_overflow(x.lo, y.lo, &b->lo) &&
           !__builtin_add_overflow(x.hi, y.hi, &b->hi);
  if (tt_op_is(op, "arith.subi"))
    return !__builtin_sub_overflow(x.lo, y.hi, &b->lo) &&
           !__builtin_sub_overflow(x.hi, y.lo, &b->hi);
  if (tt_op_is(op, "arith.muli"))
    return !__builtin_mul_overflow(x.lo, y.lo, &v[0]) &&
           !__builtin_mul_overflow(x.lo, y.hi, &v[1]) &&
           !__builtin_mul_overflow(x.hi, y.lo, &v[2]) &&
           !__builtin_mul_overflow(x.hi, y.hi, &v[3]) && extremes(v, b);
  if (tt_op_is(op, "arith.maxsi") || (positive && tt_op_is(op, "arith.maxui")))
    return *b = (TtBounds){max_of(x.lo, y.lo), max_of(x.hi, y.hi)}, true;
  if (tt_op_is(op, "arith.minsi") || (positive && tt_op_is(op, "arith.minui")))
    return *b = (TtBounds){min_of(x.lo, y.lo), min_of(x.hi, y.hi)}, true;
  if (tt_op_is(op, "arith.andi") && (x.lo >= 0 || y.lo >= 0))
    return *b = (TtBounds){0, x.lo < 0 ? y.hi : y.lo < 0 ? x.hi : min_of(x.hi, y.hi)}, true;
  if ((tt_op_is(op, "arith.ori") || tt_op_is(op, "arith.xori")) && positive && x.hi <= INT32_MAX &&
      y.hi <= INT32_MAX) {
    int64_t most = 1;
    while (most <= max_of(x.hi, y.hi)) most *= 2;
    return *b = (TtBounds){0, most - 1}, true;
  }
  bool rest = tt_op_is(op, "arith.remsi") || (tt_op_is(op, "arith.remui") && positive);
  if (rest && divides_up) return *b = (TtBounds){x.lo < 0 ? 1 - y.lo : 0, y.lo - 1}, true;
  bool quotient = tt_op_is(op, "arith.divsi") || tt_op_is(op, "arith.floordivsi") ||
                  tt_op_is(op, "arith.ceildivsi") ||
                  ((tt_op_is(op, "arith.divui") || tt_op_is(op, "arith.ceildivui")) && positive);
  if (quotient && divides_up) {
    *b = (TtBounds){floor_div(x.lo, y.lo), floor_div(x.hi, y.lo)};
    if (x.hi > INT64_MAX - y.lo) return false;
    if (!tt_op_is(op, "arith.floordivsi")) b->hi = floor_div(x.hi + y.lo - 1, y.lo);
    return true;
  }
  /* By whatever is not 0: no more than it was. */
  if (rest) return *b = (TtBounds){min_of(x.lo, 0), max_of(x.hi, 0)}, true;
  if (quotient && x.lo > INT64_MIN) {
    int64_t most = max_of(-x.lo, x.hi);
    return *b = (TtBounds){positive ? 0 : -most, most}, true;
  }
  bool shifts = y.lo == y.hi && y.lo >= 0 && y.lo < 32;
  if (shifts && (tt_op_is(op, "arith.shrsi") || (x.lo >= 0 && tt_op_is(op, "arith.shrui"))))
    return *b =
               (TtBounds){floor_div(x.lo, INT64_C(1) << y.lo), floor_div(x.hi, INT64_C(1) << y.lo)},
           true;
  if (shifts && tt_op_is(op, "arith.shli"))
    return !__builtin_mul_overflow(x.lo, INT64_C(1) << y.lo, &b->lo) &&
           !__builtin_mul_overflow(x.hi, INT64_C(1) << y.lo, &b->hi);
  return false;
}

/*===- Sums of loops --------------------------------------------------------------------------===*/

/* What else than `linalg` gives the buffer, or views of it: constants alone. */
static bool first_values(MlirOperation linalg, MlirValue buffer, bool *filled, TtBounds *b) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t at = mlirOpOperandGetOperandNumber(use);
    int64_t constant;
    if (tt_op_is(op, "memref.subview")) {
      if (!first_values(linalg, mlirOperationGetResult(op, 0), filled, b)) return false;
      continue;
    }
    bool fill = tt_op_is(op, "linalg.fill"),
         reads = tt_is_copy(op) ? at == 0 : tt_is_linalg(op) && at < tt_linalg_num_inputs(op);
    if (tt_op_eq(op, linalg) || (reads && !fill)) continue;
    if (!fill || !tt_constant(mlirOperationGetOperand(op, 0), &constant)) return false;
    b->lo = *filled ? min_of(b->lo, constant) : constant;
    b->hi = *filled ? max_of(b->hi, constant) : constant;
    *filled = true;
  }
  return true;
}

/* Of a sum that goes on in output `out` of the op. */
static bool sum_in(MlirOperation linalg, MlirOperation op, intptr_t out, TtBounds *b, int *left) {
  intptr_t inputs = tt_linalg_num_inputs(linalg);
  MlirValue buffer = mlirOperationGetOperand(linalg, out), sum = mlirOperationGetResult(op, 0),
            given = mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(linalg)), out - inputs);
  MlirValue root = tt_view_root(buffer);
  MlirOperation alloc = tt_defining_op(root);
  bool filled = false, own = tt_op_is(alloc, "memref.alloc") || tt_op_is(alloc, "memref.alloca");
  for (int i = 0; own && i < 2; ++i) {
    MlirValue old = tt_without_casts(mlirOperationGetOperand(op, i)),
              term = mlirOperationGetOperand(op, 1 - i);
    TtBounds x, first = {0, 0};
    int64_t n;
    if (!tt_is_old(linalg, old, out) || tt_is_old(linalg, tt_without_casts(term), out) ||
        !tt_becomes(linalg, given, sum, out) || !bounds_of(linalg, term, &x, left) ||
        !first_values(linalg, root, &filled, &first) || !filled ||
        !tt_rounds(linalg, mlirOperationGetBlock(alloc), &n) ||
        __builtin_mul_overflow(min_of(x.lo, 0), n, &x.lo) ||
        __builtin_mul_overflow(max_of(x.hi, 0), n, &x.hi))
      continue;
    return !__builtin_add_overflow(first.lo, x.lo, &b->lo) &&
           !__builtin_add_overflow(first.hi, x.hi, &b->hi);
  }
  return false;
}

/* The same where the output is a tensor, which this op alone gives, from an initial one. */
static bool sum_from(MlirOperation linalg, MlirOperation op, intptr_t out, TtBounds *b, int *left) {
  MlirValue init = mlirOperationGetOperand(linalg, out), sum = mlirOperationGetResult(op, 0),
            given = mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(linalg)),
                                            out - tt_linalg_num_inputs(linalg));
  for (int i = 0; i < 2; ++i) {
    MlirValue old = tt_without_casts(mlirOperationGetOperand(op, i)),
              term = mlirOperationGetOperand(op, 1 - i);
    TtBounds x, first;
    int64_t n;
    if (!tt_is_old(linalg, old, out) || tt_is_old(linalg, tt_without_casts(term), out) ||
        !tt_becomes(linalg, given, sum, out) || !bounds_of(linalg, term, &x, left) ||
        !tt_bounds_of_tensor(init, &first, left) ||
        !tt_rounds(linalg, mlirOperationGetBlock(linalg), &n) ||
        __builtin_mul_overflow(min_of(x.lo, 0), n, &x.lo) ||
        __builtin_mul_overflow(max_of(x.hi, 0), n, &x.hi))
      continue;
    return !__builtin_add_overflow(first.lo, x.lo, &b->lo) &&
           !__builtin_add_overflow(first.hi, x.hi, &b->hi);
  }
  return false;
}

static bool of_sum(MlirOperation linalg, MlirOperation op, TtBounds *b, int *left) {
  if (mlirAttributeIsNull(mlirLinalgGetIndexingMapsAttribute(linalg)) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), tt_body(linalg)))
    return false;
  for (intptr_t i = tt_linalg_num_inputs(linalg); i < mlirOperationGetNumOperands(linalg); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(linalg, i));
    if (mlirTypeIsATensor(type) ? sum_from(linalg, op, i, b, left) : sum_in(linalg, op, i, b, left))
      return true;
  }
  return false;
}

/* affine.apply, min and max, by the bounds of what they take. */
static bool of_affine(MlirOperation linalg, MlirOperation op, TtBounds *b, int *left) {
  enum { MOST = 8 };
  TtBounds operands[MOST], x;
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  intptr_t n = mlirOperationGetNumOperands(op), dims = mlirAffineMapGetNumDims(map);
  bool max = tt_op_is(op, "affine.max");
  if (n > MOST) return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!bounds_of(linalg, mlirOperationGetOperand(op, i), &operands[i], left)) return false;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    if (!tt_affine_bounds(mlirAffineMapGetResult(map, r), dims, operands, &x)) return false;
    if (r == 0) *b = x;
    b->lo = max ? max_of(b->lo, x.lo) : min_of(b->lo, x.lo);
    b->hi = max ? max_of(b->hi, x.hi) : min_of(b->hi, x.hi);
  }
  return true;
}

/* Of a loop over a view whose size is computed: so many steps at most. */
static bool of_index(MlirOperation linalg, int64_t dim, TtBounds *b, int *left) {
  int64_t steps = tt_steps_of(linalg, dim);
  *b = (TtBounds){0, steps < 0 ? INT32_MAX : steps - 1};
  for (intptr_t i = 0; steps < 0 && i < mlirOperationGetNumOperands(linalg); ++i) {
    MlirValue size = tt_computed_size(linalg, i, dim);
    TtBounds of;
    if (!tt_is_null_value(size) && bounds_of(linalg, size, &of, left) && of.hi > 0)
      b->hi = min_of(b->hi, of.hi - 1);
  }
  return true;
}

static bool of_op(MlirOperation linalg, MlirOperation op, TtBounds *b, int *left) {
  TtBounds x, y;
  if (tt_op_is(op, "arith.fptosi"))
    return tt_bounds_of_float(linalg, mlirOperationGetOperand(op, 0), b, left);
  if (tt_op_is(op, "arith.addi") && of_sum(linalg, op, b, left)) return true;
  if (tt_op_is(op, "tensor.extract"))
    return tt_bounds_of_tensor(mlirOperationGetOperand(op, 0), b, left);
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirValue first = n > 0 ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
  if (tt_op_is(op, "linalg.index")) return of_index(linalg, tt_int(tt_op_attr(op, "dim")), b, left);
  if (tt_op_is(op, "affine.apply") || tt_op_is(op, "affine.min") || tt_op_is(op, "affine.max"))
    return of_affine(linalg, op, b, left);
  bool ext = tt_op_is(op, "arith.extsi") || tt_op_is(op, "arith.index_cast"),
       unsigned_ext = tt_op_is(op, "arith.extui") || tt_op_is(op, "arith.index_castui");
  if (ext || unsigned_ext || tt_op_is(op, "arith.trunci")) {
    TtBounds own;
    tt_bounds_of_type(mlirValueGetType(mlirOperationGetResult(op, 0)), &own);
    if (mlirTypeIsAInteger(mlirValueGetType(first)) &&
        mlirIntegerTypeGetWidth(mlirValueGetType(first)) == 1)
      return *b = (TtBounds){unsigned_ext ? 0 : -1, unsigned_ext ? 1 : 0}, true;
    if (!bounds_of(linalg, first, b, left)) return false;
    if (unsigned_ext && b->lo < 0) {
      MlirType from = mlirValueGetType(first);
      int64_t width = mlirTypeIsAInteger(from) ? (int64_t)mlirIntegerTypeGetWidth(from) : 32;
      *b = (TtBounds){0, (INT64_C(1) << (width > 32 ? 32 : width)) - 1};
    }
    if (!ext && !unsigned_ext && (b->lo < own.lo || b->hi > own.hi)) *b = own;
    return true;
  }
  if (tt_op_is(op, "arith.select"))
    return bounds_of(linalg, mlirOperationGetOperand(op, 1), &x, left) &&
           bounds_of(linalg, mlirOperationGetOperand(op, 2), &y, left) &&
           (*b = (TtBounds){min_of(x.lo, y.lo), max_of(x.hi, y.hi)}, true);
  if (tt_op_is(op, "math.absi") && bounds_of(linalg, first, &x, left) && x.lo > INT64_MIN)
    return *b = (TtBounds){0, max_of(-x.lo, x.hi)}, true;
  if (n == 2 && mlirOperationGetNumResults(op) == 1 && bounds_of(linalg, first, &x, left) &&
      bounds_of(linalg, mlirOperationGetOperand(op, 1), &y, left))
    return of_arithmetic(op, x, y, b);
  return false;
}

bool tt_integer_bounds_within(MlirOperation linalg, MlirValue value, TtBounds *b, int *left) {
  return bounds_of(linalg, value, b, left);
}

static bool bounds_of(MlirOperation linalg, MlirValue value, TtBounds *b, int *left) {
  int64_t constant;
  MlirType type = mlirValueGetType(value);
  if (--*left < 0 || (!mlirTypeIsAIndex(type) && !mlirTypeIsAInteger(type))) return false;
  if (tt_constant(value, &constant)) return *b = (TtBounds){constant, constant}, true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) {
    bool own = mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(linalg));
    if (!own && tt_loop_bounds(value, b)) return true;
    if (!own) return tt_bounds_of_type(type, b), b->lo = mlirTypeIsAIndex(type) ? 0 : b->lo, true;
    intptr_t i = mlirBlockArgumentGetArgNumber(value);
    if (i >= mlirOperationGetNumOperands(linalg)) return false;
    MlirValue operand = mlirOperationGetOperand(linalg, i);
    MlirType given = mlirValueGetType(operand);
    if (!mlirTypeIsAShaped(given)) return bounds_of(linalg, operand, b, left);
    if (mlirTypeIsATensor(given) && i < tt_linalg_num_inputs(linalg))
      return tt_bounds_of_tensor(operand, b, left);
    if (i >= tt_linalg_num_inputs(linalg))
      return tt_bounds_of_type(type, b); /* what a result holds */
    return of_tensor(linalg, operand, type, b);
  }
  bool inside = mlirBlockEqual(mlirOperationGetBlock(op), tt_body(linalg));
  if (inside || mlirOperationGetNumRegions(op) == 0) {
    if (!of_op(linalg, op, b, left)) return !inside && tt_bounds_of_type(type, b);
    /* Of 32 bits and less, and of indices, it wraps, where it does not fit. */
    TtBounds own;
    bool wraps = mlirTypeIsAIndex(type) || mlirIntegerTypeGetWidth(type) <= 32;
    if (wraps && tt_bounds_of_type(type, &own) && (b->lo < own.lo || b->hi > own.hi)) *b = own;
    return true;
  }
  return tt_bounds_of_type(type, b);
}

bool tt_integer_bounds(MlirOperation linalg, MlirValue value, TtBounds *bounds) {
  int left = MOST_STEPS;
  return bounds_of(linalg, value, bounds, &left);
}
