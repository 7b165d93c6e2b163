/*===- expand_indices.c - --tt-expand-indices ----------------------------------------------===
 *
 * Turns index arithmetic as others write it into sums, products, quotients, remainders, min and
 * max of indices, none of which is ever below zero: what the analyses see through, and what
 * cores compute in 32 bits without a sign.
 *
 *   affine.delinearize_index %x into (a, b, c)   x / (b c), x / c % b, x % c
 *   affine.linearize_index [i, j] by (a, b)      i b + j
 *   x << 5, x >> 2, x & 7, x | 8, x ^ 5          x * 32, x / 4, x % 8, … by bits of a constant
 *   x ^ y, 1 << x, y >> x, of what is known to be small          by bits of both (index_bits.c)
 *   i32 arithmetic between index_casts           the same of indices
 *   index.add, index.divu, …                     arith.addi, arith.divui, …
 *   max(x - 64, 0), affine.max                   max(x, 64) - 64
 *   x - 64 >= y, with signs                      x >= y + 64, without
 *   (x - y) / 64, with signs, as a loop's end    (max(x, y) - y) / 64
 *   (x - y) / 64 elsewhere                       (x + 64 q - y) / 64 - q, where 64 q >= y
 *   x / y, x % y, with signs                     without, where ranges say x >= 0 and y >= 1
 *
 * Requires nothing. Leaves bodies of linalg ops as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/drop_signs.h"
#include "Transforms/Raise/index_bits.h"
#include "Transforms/Raise/unify_indices.h"

/*===- Small things -------------------------------------------------------------------------===*/

static MlirValue largest(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  if (tt_constant(x, &cx) && tt_constant(y, &cy)) return cx > cy ? x : y;
  if (tt_constant(x, &cx) && cx == 0) return y;
  if (tt_constant(y, &cy) && cy == 0) return x;
  return tt_op_of_two(b, loc, "arith.maxui", x, y);
}

static bool is_index(MlirValue value) { return mlirTypeIsAIndex(mlirValueGetType(value)); }

bool tt_is_control(MlirOperation op) {
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p))
    if (tt_is_linalg(p)) return false;
  return true;
}

/*===- Several indices in one, and back -----------------------------------------------------===*/

/* Element `i` of a basis, of which the dynamic ones are operands from `first` on. */
static MlirValue basis(TtBuilder *b, MlirOperation op, intptr_t first, intptr_t i) {
  MlirAttribute sizes = tt_op_attr(op, "static_basis");
  for (intptr_t j = 0; j < i; ++j) first += mlirDenseI64ArrayGetElement(sizes, j) == INT64_MIN;
  int64_t size = mlirDenseI64ArrayGetElement(sizes, i);
  return size == INT64_MIN ? mlirOperationGetOperand(op, first)
                           : tt_index(b, mlirOperationGetLocation(op), size);
}

static void delinearize(MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue left = mlirOperationGetOperand(op, 0);
  intptr_t n = mlirOperationGetNumResults(op),
           sizes = mlirDenseArrayGetNumElements(tt_op_attr(op, "static_basis"));
  MlirValue stride = tt_index(&b, loc, 1); /* left / stride, not one quotient of another */
  for (intptr_t i = n; i-- > 0;) {
    MlirValue whole = tt_div(&b, loc, left, stride);
    if (i > 0) { /* the first takes all that is left */
      MlirValue size = basis(&b, op, 1, i - (n - sizes));
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), tt_rem(&b, loc, whole, size));
      stride = tt_mul(&b, loc, stride, size);
    } else {
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), whole);
    }
  }
  mlirOperationDestroy(op);
}

static void linearize(MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  intptr_t n = mlirDenseI32ArrayGetElement(tt_op_attr(op, "operandSegmentSizes"), 0),
           sizes = mlirDenseArrayGetNumElements(tt_op_attr(op, "static_basis"));
  MlirValue stride = tt_index(&b, loc, 1), sum = tt_index(&b, loc, 0);
  for (intptr_t i = n; i-- > 0;) {
    sum = tt_add(&b, loc, tt_mul(&b, loc, mlirOperationGetOperand(op, i), stride), sum);
    if (i > 0) stride = tt_mul(&b, loc, stride, basis(&b, op, n, i - (n - sizes)));
  }
  tt_replace(op, sum);
}

/*===- Signs ----------------------------------------------------------------------------------===*/

/* The terms of affine.max, or of an op of two. */
static intptr_t terms_of(TtArena *arena, TtBuilder *b, MlirOperation op, MlirValue **terms) {
  if (tt_op_is(op, "affine.max")) return tt_affine_results(arena, b, op, terms);
  *terms = tt_arena_alloc(arena, 2 * sizeof **terms);
  (*terms)[0] = mlirOperationGetOperand(op, 0), (*terms)[1] = mlirOperationGetOperand(op, 1);
  return 2;
}

/* max(p - m, q - n) = max(p + n, q + m) - (m + n) */
static void largest_of_differences(TtArena *arena, MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue *terms, best = {NULL}, minus = tt_index(&b, loc, 0);
  intptr_t n = terms_of(arena, &b, op, &terms);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue plus, less;
    tt_split_signs(arena, &b, loc, terms[i], &plus, &less);
    if (i == 0) {
      best = plus, minus = less;
      continue;
    }
    MlirValue x = tt_add(&b, loc, best, less), y = tt_add(&b, loc, plus, minus);
    best = largest(&b, loc, x, y);
    minus = tt_add(&b, loc, minus, less);
  }
  tt_replace(op, tt_sub(&b, loc, best, minus));
}

static bool has_minus(TtArena *arena, MlirValue value) {
  TtBuilder b = {
      mlirTypeGetContext(mlirValueGetType(value)), mlirBlockCreate(0, NULL, NULL), {NULL}};
  MlirValue plus, minus;
  int64_t zero;
  tt_split_signs(arena, &b, mlirLocationUnknownGet(b.context), value, &plus, &minus);
  bool has = !(tt_constant(minus, &zero) && zero == 0);
  mlirBlockDestroy(b.block);
  return has;
}

/* p - m < q - n, with signs, is p + n < q + m. */
static void compare_without_signs(TtArena *arena, MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue p, m, q, n;
  tt_split_signs(arena, &b, loc, mlirOperationGetOperand(op, 0), &p, &m);
  tt_split_signs(arena, &b, loc, mlirOperationGetOperand(op, 1), &q, &n);
  mlirOperationSetOperand(op, 0, tt_add(&b, loc, p, n));
  mlirOperationSetOperand(op, 1, tt_add(&b, loc, q, m));
}

/* The constant that `op` divides by, with signs; 0 where it does something else. */
static int64_t divisor_of(MlirOperation op) {
  int64_t c = 0;
  bool divides = tt_op_is(op, "arith.floordivsi") && is_index(mlirOperationGetOperand(op, 0));
  return divides && tt_constant(mlirOperationGetOperand(op, 1), &c) && c > 0 ? c : 0;
}

static bool goes_on(const void *none, MlirOperation op) {
  (void)none;
  return mlirOperationGetNumRegions(op) == 0 && !tt_load_index_isa(op) &&
         is_index(mlirOperationGetResult(op, 0));
}

/* Whether an integer of a tensor is a part of `value`, or a quotient of what may be below zero. */
static bool may_be_below_zero(TtArena *arena, MlirValue value) {
  TtValues all = tt_made_of(arena, value, goes_on, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (mlirOperationIsNull(op) || !is_index(all.data[i])) continue;
    if (tt_load_index_isa(op)) return true;
    if (divisor_of(op) && has_minus(arena, mlirOperationGetOperand(op, 0))) return true;
  }
  return false;
}

/* max(value, 0), without signs: a loop that ends below zero has no steps, as one that ends there.
 */
static MlirValue not_below_zero(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                                int depth) {
  MlirOperation op = tt_defining_op(value);
  int64_t divisor = mlirOperationIsNull(op) || depth > 32 ? 0 : divisor_of(op);
  bool least = !mlirOperationIsNull(op) && depth <= 32 && tt_op_is(op, "arith.minsi");
  if (divisor)
    return tt_div(b, loc, not_below_zero(arena, b, loc, mlirOperationGetOperand(op, 0), depth + 1),
                  tt_index(b, loc, divisor));
  if (least)
    return tt_min(b, loc, not_below_zero(arena, b, loc, mlirOperationGetOperand(op, 0), depth + 1),
                  not_below_zero(arena, b, loc, mlirOperationGetOperand(op, 1), depth + 1));
  MlirValue plus, minus;
  int64_t zero;
  tt_split_signs(arena, b, loc, value, &plus, &minus);
  if (tt_constant(minus, &zero) && zero == 0) return value;
  return tt_sub(b, loc, largest(b, loc, plus, minus), minus);
}

/* What max(…, 0) is of, or null. */
static MlirValue clamped(MlirOperation op) {
  int64_t zero;
  for (intptr_t i = 0; tt_op_is(op, "arith.maxsi") && i < 2; ++i)
    if (tt_constant(mlirOperationGetOperand(op, i), &zero) && zero == 0)
      return mlirOperationGetOperand(op, 1 - i);
  return (MlirValue){NULL};
}

static void expand_signs(TtArena *arena, MlirOperation op) {
  enum { ULT = 6 }; /* of arith::CmpIPredicate; what comes before has signs or needs none */
  MlirValue of = clamped(op);
  if (!tt_is_null_value(of)) {
    TtBuilder b = tt_builder_before(op);
    tt_replace(op, not_below_zero(arena, &b, mlirOperationGetLocation(op), of, 0));
    return;
  }
  if (tt_op_is(op, "affine.max") || tt_op_is(op, "arith.maxsi")) largest_of_differences(arena, op);
  else if (tt_op_is(op, "arith.cmpi") && tt_int(tt_op_attr(op, "predicate")) < ULT &&
           (has_minus(arena, mlirOperationGetOperand(op, 0)) ||
            has_minus(arena, mlirOperationGetOperand(op, 1))))
    compare_without_signs(arena, op);
}

/*===- Ends of loops, and quotients -----------------------------------------------------------===*/

static void end_loop(TtArena *arena, MlirOperation loop) {
  MlirValue end = mlirOperationGetOperand(loop, 1);
  if (!is_index(end) || !may_be_below_zero(arena, end)) return;
  TtBuilder b = tt_builder_before(loop);
  mlirOperationSetOperand(loop, 1,
                          not_below_zero(arena, &b, mlirOperationGetLocation(loop), end, 0));
}

/* (p - m) / c = (p + c q - m) / c - q, where q = (m + c - 1) / c */
static void divide_without_signs(TtArena *arena, MlirOperation op) {
  int64_t c = divisor_of(op), zero;
  if (!c || !tt_has_uses(mlirOperationGetResult(op, 0))) return;
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue plus, minus, by = tt_index(&b, loc, c);
  tt_split_signs(arena, &b, loc, mlirOperationGetOperand(op, 0), &plus, &minus);
  if (tt_constant(minus, &zero) && zero == 0) {
    tt_replace(op, tt_div(&b, loc, mlirOperationGetOperand(op, 0), by));
    return;
  }
  MlirValue q = tt_div(&b, loc, tt_add(&b, loc, minus, tt_index(&b, loc, c - 1)), by),
            sum = tt_add(&b, loc, plus, tt_mul(&b, loc, q, by));
  tt_replace(op, tt_sub(&b, loc, tt_div(&b, loc, tt_sub(&b, loc, sum, minus), by), q));
}

/*===- All ------------------------------------------------------------------------------------===*/

static bool expand(TtArena *arena, MlirOperation kernel) {
  tt_unify_indices(arena, kernel);
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_control(ops.data[i])) tt_drop_signs(arena, ops.data[i]);
  ops = tt_collect(arena, kernel, NULL);
  TtBitRanges *ranges = tt_arena_alloc(arena, (size_t)(ops.n + 1) * sizeof *ranges);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_control(ops.data[i])) ranges[i] = tt_bit_ranges(arena, ops.data[i]);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_is_control(op)) continue;
    if (tt_op_is(op, "affine.delinearize_index")) delinearize(op);
    else if (tt_op_is(op, "affine.linearize_index")) linearize(op);
    else if (mlirOperationGetNumResults(op) == 1 && is_index(mlirOperationGetResult(op, 0)) &&
             !tt_expand_bits(arena, op, &ranges[i]))
      return false;
  }
  ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool of_indices =
        mlirOperationGetNumOperands(op) > 0 && is_index(mlirOperationGetOperand(op, 0));
    if (of_indices && tt_is_control(op)) expand_signs(arena, op);
  }
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i) end_loop(arena, loops.data[i]);
  ops = tt_collect(arena, kernel, "arith.floordivsi");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_control(ops.data[i])) divide_without_signs(arena, ops.data[i]);
  return true;
}

bool tt_run_expand_indices(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, expand);
}
