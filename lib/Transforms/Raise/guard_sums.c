/*===- guard_sums.c - --tt-guard-sums ------------------------------------------------------===
 *
 * Products that are summed under a condition. Where the condition bounds the loop around, the
 * loop is shorter; else a term is computed by itself, and added to the sum under the condition.
 *
 *   before  for %k = 0 to 128 step 32 { if %k <= %m { f(%k) } }
 *   after   for %k = 0 to min(128, %m + 1) step 32 { f(%k) }
 *
 *   before  if %c { linalg.matmul ins(%a, %b) outs(%sum) }
 *   after   if %c { linalg.fill 0 outs(%t)  linalg.matmul ins(%a, %b) outs(%t)
 *                   linalg.add ins(%sum, %t) outs(%sum) }
 *
 * A sum in DST goes on from step to step without a branch between its start and its terms, and has
 * a term at least: so it is where the loop may have no step. A sum in a tensor is kept in a buffer
 * of the core for this, and copied there in the end.
 *
 * Requires expanded indices. Leaves no product that adds, under a condition or in a loop without
 * steps, to what was before.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/kept_views.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/step_together.h"

#include <string.h>

/*===- Shorter loops --------------------------------------------------------------------------===*/

/* arith::CmpIPredicate; indices are not below zero, so that signs do not count. */
enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

/* Shortens `loop` by a comparison of its variable; false where it is none that bounds it. */
static bool shorten(MlirOperation loop, MlirValue condition) {
  MlirOperation op = tt_defining_op(condition);
  if (!tt_op_is(op, "arith.cmpi")) return false;
  static const int64_t mirrored[] = {EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE};
  int64_t predicate = tt_int(tt_op_attr(op, "predicate")), zero, step;
  MlirValue iv = tt_for_iv(loop), bound = mlirOperationGetOperand(op, 1);
  if (tt_value_eq(bound, iv))
    bound = mlirOperationGetOperand(op, 0), predicate = mirrored[predicate];
  else if (!tt_value_eq(mlirOperationGetOperand(op, 0), iv)) return false;
  if (tt_is_defined_in(loop, bound) || !mlirTypeIsAIndex(mlirValueGetType(bound))) return false;
  TtBuilder b = tt_builder_before(loop);
  MlirLocation loc = mlirOperationGetLocation(op);
  bool below = predicate == SLT || predicate == ULT, to = predicate == SLE || predicate == ULE,
       above = predicate == SGT || predicate == UGT, from = predicate == SGE || predicate == UGE;
  if (below || to) {
    if (to) bound = tt_add(&b, loc, bound, tt_index(&b, loc, 1));
    mlirOperationSetOperand(loop, 1, tt_min(&b, loc, mlirOperationGetOperand(loop, 1), bound));
    return true;
  }
  if ((!above && !from) || !tt_constant(mlirOperationGetOperand(loop, 0), &zero) || zero != 0 ||
      !tt_constant(mlirOperationGetOperand(loop, 2), &step) || step < 1)
    return false;
  /* The first multiple of the step from there on. */
  bound = tt_add(&b, loc, bound, tt_index(&b, loc, from ? step - 1 : step));
  bound = tt_div(&b, loc, bound, tt_index(&b, loc, step));
  mlirOperationSetOperand(loop, 0, tt_mul(&b, loc, bound, tt_index(&b, loc, step)));
  return true;
}

/* The condition without what has shortened the loop: null where nothing is left. */
static MlirValue rest_of(MlirOperation loop, MlirValue condition) {
  MlirOperation op = tt_defining_op(condition);
  if (shorten(loop, condition)) return (MlirValue){NULL};
  if (!tt_op_is(op, "arith.andi")) return condition;
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1),
            x = rest_of(loop, a), y = rest_of(loop, b);
  if (tt_is_null_value(x)) return y;
  if (tt_is_null_value(y)) return x;
  if (tt_value_eq(x, a) && tt_value_eq(y, b)) return condition;
  TtBuilder at = tt_builder_before(op);
  return tt_and(&at, mlirOperationGetLocation(op), x, y);
}

static bool starts_with(MlirStringRef name, const char *prefix) {
  size_t n = strlen(prefix);
  return name.length > n && memcmp(name.data, prefix, n) == 0;
}

/* Whether an op computes a number, or views something: it may run in any step. */
static bool is_free(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return mlirOperationGetNumRegions(op) == 0 &&
         (starts_with(name, "arith.") || starts_with(name, "affine.") ||
          tt_op_is(op, "memref.subview"));
}

/* The one branch that a loop consists of, beside numbers; null where there is more. */
static MlirOperation only_branch(MlirOperation loop) {
  MlirOperation found = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    bool branch = tt_op_is(op, "scf.if") && mlirOperationGetNumResults(op) == 0;
    if (!branch && is_free(op)) continue;
    if (!branch || !mlirOperationIsNull(found)) return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

static bool has_else(MlirOperation branch) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, 1));
  return !mlirBlockIsNull(block) && !tt_is_terminator(mlirBlockGetFirstOperation(block));
}

static void bound_loop(MlirOperation loop) {
  MlirOperation branch = only_branch(loop);
  if (mlirOperationIsNull(branch) || has_else(branch) || mlirOperationGetNumResults(loop) > 0)
    return;
  MlirValue condition = mlirOperationGetOperand(branch, 0), rest = rest_of(loop, condition);
  if (!tt_is_null_value(rest)) {
    mlirOperationSetOperand(branch, 0, rest);
    return;
  }
  MlirBlock body = tt_body(branch);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !tt_is_terminator(op);
       op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, branch);
  }
  mlirOperationDestroy(branch);
}

/*===- Terms by themselves --------------------------------------------------------------------===*/

/* Whether `upper` + `more` - `lower` is a sum of what is not below zero and a positive constant. */
static bool is_positive(TtArena *arena, MlirValue upper, MlirValue lower, int64_t more) {
  TtBuilder b = {
      mlirTypeGetContext(mlirValueGetType(upper)), mlirBlockCreate(0, NULL, NULL), {NULL}};
  MlirLocation loc = mlirLocationUnknownGet(b.context);
  MlirValue parts[2] = {tt_add(&b, loc, upper, tt_index(&b, loc, more)), lower}, plus, minus;
  int64_t constant = 0, zero = 0;
  tt_split_signs(arena, &b, loc, tt_sub(&b, loc, parts[0], parts[1]), &plus, &minus);
  bool positive = tt_constant(minus, &zero) && zero == 0;
  if (positive && !tt_constant(plus, &constant)) constant = tt_least(arena, plus);
  mlirBlockDestroy(b.block);
  return positive && constant > 0;
}

/* The values of a bound, which may be an argument that says by tt.range what it holds. */
static bool range_of(TtArena *arena, MlirValue bound, TtIndexRange *range) {
  MlirOperation func = {NULL};
  if (mlirValueIsABlockArgument(bound))
    func = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(bound));
  if (mlirOperationIsNull(func) || !tt_is_function(func))
    return tt_index_range(arena, bound, range);
  TtRange given = tt_arg_range(func, mlirBlockArgumentGetArgNumber(bound));
  *range = (TtIndexRange){given.lo, given.hi};
  return given.given;
}

/* Whether a loop from `lower` to `upper` + `more` has a step, whatever the indices are. */
static bool has_steps(TtArena *arena, MlirValue upper, MlirValue lower, int64_t more) {
  MlirOperation u = tt_defining_op(upper), l = tt_defining_op(lower);
  int64_t c;
  bool min = tt_op_is(u, "arith.minui") || tt_op_is(u, "arith.minsi");
  for (intptr_t i = 0; min && i < 2; ++i)
    if (!has_steps(arena, mlirOperationGetOperand(u, i), lower, more)) return false;
  bool max = tt_op_is(l, "arith.maxui") || tt_op_is(l, "arith.maxsi");
  for (intptr_t i = 0; max && !min && i < 2; ++i)
    if (!has_steps(arena, upper, mlirOperationGetOperand(l, i), more)) return false;
  if (min || max) return true;
  if (tt_op_is(l, "arith.subi") && tt_constant(mlirOperationGetOperand(l, 1), &c))
    return has_steps(arena, upper, mlirOperationGetOperand(l, 0), more + c);
  if (tt_op_is(u, "memref.dim") && tt_constant(lower, &c) && c == 0) return true;
  TtIndexRange from, to;
  if (range_of(arena, lower, &from) && range_of(arena, upper, &to) && more >= 0 &&
      to.least > from.most)
    return true;
  return is_positive(arena, upper, lower, more);
}

static bool may_be_empty(TtArena *arena, MlirOperation loop) {
  return !has_steps(arena, mlirOperationGetOperand(loop, 1), mlirOperationGetOperand(loop, 0), 0);
}

/* The nearest fill of the sum before `op`, in a block around it; null where there is none. */
static MlirOperation fill_before(TtArena *arena, MlirOperation op, MlirValue sum) {
  MlirOperation found = {NULL};
  for (MlirOperation p = op; mlirOperationIsNull(found) && !tt_is_function(p); p = tt_parent(p))
    for (MlirOperation s = mlirBlockGetFirstOperation(mlirOperationGetBlock(p)); !tt_op_eq(s, p);
         s = tt_next(s))
      if (tt_op_is(s, "linalg.fill") &&
          tt_same_view(arena, mlirOperationGetOperand(s, tt_linalg_num_inputs(s)), sum))
        found = s;
  return found;
}

/* Whether there are a branch, or a loop that may have no step, between `op`, which adds to a sum,
 * and the block in which that starts. */
static bool is_guarded(TtArena *arena, MlirOperation op, MlirBlock start) {
  for (MlirOperation p = op; !mlirBlockEqual(mlirOperationGetBlock(p), start);) {
    p = tt_parent(p);
    if (mlirOperationIsNull(p)) return false;
    if (tt_op_is(p, "scf.if") || (tt_op_is(p, "scf.for") && may_be_empty(arena, p))) return true;
  }
  return false;
}

/* The sum of a product that is guarded, in a buffer of the core, where it is put if it is a part of
 * a tensor; null where it is not guarded, or is no buffer. */
static MlirValue guarded_sum(TtArena *arena, MlirOperation op) {
  MlirValue none = {NULL};
  intptr_t at = tt_linalg_num_inputs(op);
  MlirValue sum = mlirOperationGetOperand(op, at);
  MlirOperation fill = fill_before(arena, op, sum), alloc = tt_defining_op(sum);
  bool buffer = tt_op_is(alloc, "memref.alloc");
  if (!mlirShapedTypeHasStaticShape(mlirValueGetType(sum)) ||
      (mlirOperationIsNull(fill) && !buffer) ||
      !is_guarded(arena, op, mlirOperationGetBlock(mlirOperationIsNull(fill) ? alloc : fill)))
    return none;
  if (!buffer && (!tt_is_part_of_tensor(sum) || !tt_keep_from(arena, fill))) return none;
  return mlirOperationGetOperand(op, at);
}

static void add_by_itself(MlirOperation op, intptr_t at, MlirValue sum) {
  TtBuilder b = tt_builder_before(op), after = tt_builder_after(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  TtOpState s = tt_op_state("memref.alloc", loc);
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){0, 0}));
  tt_op_state_result(&s, mlirValueGetType(sum));
  MlirValue term = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0),
            zero = tt_zero(&b, loc, mlirShapedTypeGetElementType(mlirValueGetType(sum)));
  tt_named_op(&b, loc, "linalg.fill", 1, (MlirValue[]){zero, term});
  mlirOperationSetOperand(op, at, term);
  tt_named_op(&after, loc, "linalg.add", 2, (MlirValue[]){sum, term, sum});
}

static bool guard(TtArena *arena, MlirOperation kernel) {
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = loops.n; i-- > 0;) bound_loop(loops.data[i]);
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_is_contraction(op)) continue;
    MlirValue sum = guarded_sum(arena, op);
    if (!tt_is_null_value(sum)) add_by_itself(op, tt_linalg_num_inputs(op), sum);
  }
  return true;
}

bool tt_run_guard_sums(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, guard);
}
