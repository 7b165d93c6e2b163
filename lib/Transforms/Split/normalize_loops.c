/*===- normalize_loops.c - loops that count from 0, one by one --------------------------===
 *
 *   for %k = 0 to 256 step 32 { f(%k), %k != 0 }  =  for %i = 0 to 8 { f(%i * 32), %i != 0 }
 *   for %k = 0 to %n step 32 { f(%k) }            =  for %i = 0 to (%n + 31) / 32 { f(%i * 32) }
 *   for %k = 32 %a to %n step 32 { f(%k) }        =  for %i = %a to (%n + 31) / 32 { f(%i * 32) }
 *   for %k = 64 to %n step 32 { f(%k) }           =  for %i = 0 to (max(%n, 64) - 64 + 31) / 32 {
 *                                                      f(%i * 32 + 64) }
 *
 * So tile coordinates become sums of loop variables, and emitted loops read as
 * people write them.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"
#include "Transforms/Split/split.h"

/* Comparisons of the variable with its first value compare the count with 0. */
static void rebase_comparisons(MlirOperation loop, MlirValue iv, int64_t lb, MlirValue zero) {
  for (MlirOpOperand use = mlirValueGetFirstUse(iv); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t other = 1 - (intptr_t)mlirOpOperandGetOperandNumber(use);
    int64_t value;
    if (tt_op_is(op, "arith.cmpi") && tt_constant(mlirOperationGetOperand(op, other), &value) &&
        value == lb && !tt_op_eq(op, loop))
      mlirOperationSetOperand(op, other, zero);
  }
}

static bool compares_with_zero(MlirOperation op, MlirValue zero) {
  return tt_op_is(op, "arith.cmpi") && (tt_value_eq(mlirOperationGetOperand(op, 0), zero) ||
                                        tt_value_eq(mlirOperationGetOperand(op, 1), zero));
}

/* How many steps a loop from `lb` has. A bound that is no constant is not negative. */
static MlirValue count_steps(TtArena *arena, TtBuilder *b, MlirOperation loop, int64_t lb,
                             int64_t step) {
  MlirLocation loc = mlirOperationGetLocation(loop);
  MlirValue bound = mlirOperationGetOperand(loop, 1);
  int64_t ub;
  if (tt_constant(bound, &ub)) return tt_index(b, loc, ub > lb ? (ub - lb + step - 1) / step : 0);
  if (lb > 0)
    bound = tt_sub(b, loc, tt_max(b, loc, bound, tt_index(b, loc, lb)), tt_index(b, loc, lb));
  MlirValue exact = tt_exact_quotient(arena, b, loc, bound, step);
  if (!tt_is_null_value(exact)) return exact;
  MlirValue up = tt_add(b, loc, bound, tt_index(b, loc, step - 1));
  return tt_div(b, loc, up, tt_index(b, loc, step));
}

/* Uses of the variable count by `step` from here on: %iv * step + lb in its place. */
static void scale(TtArena *arena, MlirOperation loop, int64_t lb, int64_t step, MlirValue zero) {
  MlirLocation loc = mlirOperationGetLocation(loop);
  MlirValue iv = tt_for_iv(loop);
  TtBuilder in = tt_builder_at_start(tt_for_body(loop));
  TtOps uses = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(iv); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    tt_ops_add(arena, &uses, mlirOpOperandGetOwner(use));
  MlirValue scaled = tt_mul(&in, loc, iv, tt_index(&in, loc, step));
  MlirValue old = tt_add(&in, loc, scaled, tt_index(&in, loc, lb));
  for (intptr_t i = 0; i < uses.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(uses.data[i]); ++j)
      if (tt_value_eq(mlirOperationGetOperand(uses.data[i], j), iv) &&
          !compares_with_zero(uses.data[i], zero))
        mlirOperationSetOperand(uses.data[i], j, old);
}

/* A loop that starts at a multiple of its step, which is known when the kernel runs only. Steps of
 * sums compare the variable with that start. */
static void normalize_from(TtArena *arena, MlirOperation loop, int64_t step) {
  MlirLocation loc = mlirOperationGetLocation(loop);
  TtBuilder b = tt_builder_before(loop);
  MlirValue lb = mlirOperationGetOperand(loop, 0), iv = tt_for_iv(loop),
            first = step > 1 ? tt_exact_quotient(arena, &b, loc, lb, step) : (MlirValue){NULL};
  if (tt_is_null_value(first)) return;
  MlirValue n = count_steps(arena, &b, loop, 0, step);
  for (MlirOpOperand use = mlirValueGetFirstUse(iv), next; !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t other = 1 - (intptr_t)mlirOpOperandGetOperandNumber(use);
    if (tt_op_is(op, "arith.cmpi") && tt_value_eq(mlirOperationGetOperand(op, other), lb))
      mlirOperationSetOperand(op, other, first);
  }
  scale(arena, loop, 0, step, first);
  mlirOperationSetOperand(loop, 0, first);
  mlirOperationSetOperand(loop, 1, n);
  mlirOperationSetOperand(loop, 2, tt_index(&b, loc, 1));
}

static void normalize(TtArena *arena, MlirOperation loop) {
  int64_t lb, ub, step;
  if (mlirAttributeIsNull(tt_get_attr(loop, "tt.var"))) tt_name_hint(loop, "k");
  if (!tt_constant(mlirOperationGetOperand(loop, 2), &step) || step < 1) return;
  if (!tt_constant(mlirOperationGetOperand(loop, 0), &lb)) {
    normalize_from(arena, loop, step);
    return;
  }
  if ((lb == 0 && step == 1) ||
      ((lb < 0 || step == 1) && !tt_constant(mlirOperationGetOperand(loop, 1), &ub)))
    return;
  MlirLocation loc = mlirOperationGetLocation(loop);
  TtBuilder b = tt_builder_before(loop);
  MlirValue n = count_steps(arena, &b, loop, lb, step), zero = tt_index(&b, loc, 0);
  rebase_comparisons(loop, tt_for_iv(loop), lb, zero);
  scale(arena, loop, lb, step, zero);
  mlirOperationSetOperand(loop, 0, zero);
  mlirOperationSetOperand(loop, 1, n);
  mlirOperationSetOperand(loop, 2, tt_index(&b, loc, 1));
}

void tt_normalize_loops(TtArena *arena, MlirOperation func) {
  TtOps loops = tt_collect(arena, func, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i) normalize(arena, loops.data[i]);
}
