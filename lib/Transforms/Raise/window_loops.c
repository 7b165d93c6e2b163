/*===- window_loops.c - loops over a window that ends where its tensor does ---------------------===
 *
 *   %a = max(%i * 2 - 1, 0)    %b = min(%i * 2 + 2, 20)
 *   %s = for %k = %a to %b                      %s = for %w = 0 to 3 iter_args(%t = %zero) {
 *       iter_args(%t = %zero) {                   %k = %i * 2 - 1 + %w
 *     %x = load %A[%k]                   =        %u = if %k >= 0 && %k < 20 {
 *     yield %t + %x }                               %x = load %A[%k]
 *                                                   yield %t + %x } else { yield %t }
 *                                                 yield %u }
 *
 * for a term of each bound that differ by a constant. A branch that indices decide, around a loop,
 * goes into it:
 *
 *   if %c { %r = for … iter_args(%t = %a) { f } }    %r = for … iter_args(%t = %a) {
 *   else { yield %a }                           =      if %c { f } else { yield %t } }
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"

enum { SLT = 2, SGE = 5, MAX_TERMS = 8, DEPTH = 8, LARGEST = 1 << 12 };

/*===- Bounds ---------------------------------------------------------------------------------===*/

/* What a bound is the largest, or the smallest, of. */
typedef struct Terms {
  MlirValue data[MAX_TERMS];
  intptr_t n;
  bool known;
} Terms;

static void add_term(Terms *terms, MlirValue value) {
  if (terms->n < MAX_TERMS) terms->data[terms->n++] = value;
  else terms->known = false;
}

static void collect_terms(TtArena *arena, MlirValue bound, bool lower, Terms *terms) {
  MlirOperation op = tt_defining_op(bound);
  if (tt_op_is(op, lower ? "affine.max" : "affine.min")) {
    TtBuilder b = tt_builder_before(op);
    MlirValue *results;
    intptr_t n = tt_affine_results(arena, &b, op, &results);
    for (intptr_t i = 0; i < n; ++i) add_term(terms, results[i]);
  } else if (tt_op_is(op, lower ? "arith.maxsi" : "arith.minsi")) {
    for (intptr_t i = 0; i < 2 && terms->known; ++i)
      collect_terms(arena, mlirOperationGetOperand(op, i), lower, terms);
  } else add_term(terms, bound);
}

/* The terms from and to which the window goes, which is no constant, and how long it is. */
static bool find_window(TtArena *arena, const Terms *lower, const Terms *upper, intptr_t *from,
                        intptr_t *to, int64_t *length) {
  int64_t constant;
  for (*from = 0; *from < lower->n; ++*from)
    for (*to = 0; *to < upper->n; ++*to)
      if (!tt_constant(lower->data[*from], &constant) &&
          tt_index_difference(arena, upper->data[*to], lower->data[*from], length) && *length > 0 &&
          *length <= LARGEST)
        return true;
  return false;
}

/*===- Branches ------------------------------------------------------------------------------===*/

static MlirBlock block_of(MlirOperation branch, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, region));
}

/* Puts all of the body of `loop` behind `first` (from its start on, where that is null) into a
 * branch, beside which what the loop carries stays. The branch. */
static MlirOperation guard_body(MlirOperation loop, MlirOperation first, MlirValue condition) {
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  TtBuilder b = tt_builder_before(yield);
  MlirLocation loc = mlirOperationGetLocation(loop);
  intptr_t n = mlirOperationGetNumOperands(yield);
  TtOpState s = tt_op_state("scf.if", loc), kept = tt_op_state("scf.yield", loc),
            end = tt_op_state("scf.yield", loc);
  tt_op_state_operand(&s, condition);
  for (intptr_t i = 0; i < n; ++i) {
    tt_op_state_result(&s, mlirValueGetType(mlirOperationGetOperand(yield, i)));
    tt_op_state_operand(&kept, mlirBlockGetArgument(body, i + 1));
  }
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  mlirRegionAppendOwnedBlock(regions[0], mlirBlockCreate(0, NULL, NULL));
  if (n > 0) mlirRegionAppendOwnedBlock(regions[1], mlirBlockCreate(0, NULL, NULL));
  mlirOperationStateAddOwnedRegions(&s, 2, regions);
  MlirOperation branch = tt_builder_insert(&b, tt_op_state_finish(&s));
  MlirOperation op = mlirOperationIsNull(first) ? mlirBlockGetFirstOperation(body) : tt_next(first);
  for (MlirOperation next; !tt_op_eq(op, branch); op = next) {
    next = tt_next(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(block_of(branch, 0), op);
  }
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&end, mlirOperationGetOperand(yield, i));
  mlirBlockAppendOwnedOperation(block_of(branch, 0), tt_op_state_finish(&end));
  if (n > 0) mlirBlockAppendOwnedOperation(block_of(branch, 1), tt_op_state_finish(&kept));
  else mlirOperationDestroy(tt_op_state_finish(&kept));
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationSetOperand(yield, i, mlirOperationGetResult(branch, i));
  return branch;
}

/* Whether comparisons of indices that nothing is loaded for decide. */
static bool is_index_condition(MlirValue condition, int depth) {
  MlirOperation op = tt_defining_op(condition);
  if (tt_op_is(op, "arith.andi") && depth > 0)
    return is_index_condition(mlirOperationGetOperand(op, 0), depth - 1) &&
           is_index_condition(mlirOperationGetOperand(op, 1), depth - 1);
  if (!tt_op_is(op, "arith.cmpi")) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue x = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsAIndex(mlirValueGetType(x)) || tt_is_loaded(x)) return false;
  }
  return true;
}

/* The loop that `branch` is around, which carries on what is beside it; null where it does other
 * things, too, but for arithmetic of indices. */
static MlirOperation loop_in(MlirOperation branch) {
  MlirOperation loop = {NULL}, none = {NULL};
  MlirBlock then = block_of(branch, 0), otherwise = block_of(branch, 1);
  intptr_t n = mlirOperationGetNumResults(branch);
  MlirOperation end = mlirBlockGetTerminator(then);
  if (n == 0 || !is_index_condition(mlirOperationGetOperand(branch, 0), DEPTH)) return none;
  for (MlirOperation op = mlirBlockGetFirstOperation(then); !tt_op_eq(op, end); op = tt_next(op)) {
    bool index = mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumResults(op) == 1 &&
                 mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
                 !tt_op_is(op, "memref.load") && !tt_load_index_isa(op);
    if (mlirOperationIsNull(loop) && tt_op_is(op, "scf.for")) loop = op;
    else if (!index || !mlirOperationIsNull(loop)) return none;
  }
  if (mlirOperationIsNull(loop) || mlirOperationGetNumResults(loop) != n) return none;
  for (intptr_t i = 0; i < n; ++i) {
    MlirOperation beside = mlirBlockGetTerminator(otherwise);
    if (!tt_value_eq(mlirOperationGetOperand(end, i), mlirOperationGetResult(loop, i)) ||
        !tt_value_eq(mlirOperationGetOperand(beside, i), mlirOperationGetOperand(loop, i + 3)))
      return none;
  }
  return loop;
}

/* Moves `branch` into the loop that it is around; what it is then. */
static MlirOperation sink(MlirOperation branch, MlirOperation loop) {
  MlirValue condition = mlirOperationGetOperand(branch, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(block_of(branch, 0)), next;; op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, branch);
    if (tt_op_eq(op, loop)) break;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, i),
                                  mlirOperationGetResult(loop, i));
  mlirOperationDestroy(branch);
  return guard_body(loop, (MlirOperation){NULL}, condition);
}

/*===- Loops --------------------------------------------------------------------------------===*/

/* Whether `value` is at least, or below, a bound in all steps. */
static bool holds(TtArena *arena, MlirValue value, MlirValue bound, bool lower) {
  TtIndexRange of, at;
  return tt_index_range(arena, value, &of) && tt_index_range(arena, bound, &at) &&
         (lower ? of.least >= at.most : of.most < at.least);
}

static void open_window(TtArena *arena, MlirOperation loop) {
  int64_t step, length;
  intptr_t from, to;
  Terms bounds[2] = {{.known = true}, {.known = true}};
  for (int i = 0; i < 2; ++i)
    collect_terms(arena, mlirOperationGetOperand(loop, i), i == 0, &bounds[i]);
  if (!bounds[0].known || !bounds[1].known || bounds[0].n + bounds[1].n < 3 ||
      !tt_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1 ||
      !mlirTypeIsAIndex(mlirValueGetType(tt_for_iv(loop))) ||
      !find_window(arena, &bounds[0], &bounds[1], &from, &to, &length))
    return;
  TtBuilder before = tt_builder_before(loop), in = tt_builder_at_start(tt_for_body(loop));
  MlirLocation loc = mlirOperationGetLocation(loop);
  MlirValue none = {NULL}, condition = none, start = bounds[0].data[from];
  mlirOperationSetOperand(loop, 0, tt_index(&before, loc, 0));
  mlirOperationSetOperand(loop, 1, tt_index(&before, loc, length));
  MlirValue at = tt_add(&in, loc, start, tt_for_iv(loop));
  MlirOperation sum = tt_defining_op(at), last = sum;
  mlirValueReplaceAllUsesExcept(tt_for_iv(loop), at, 1, &sum);
  for (int i = 0; i < 2; ++i)
    for (intptr_t j = 0; j < bounds[i].n; ++j) {
      MlirValue bound = bounds[i].data[j];
      if (j == (i ? to : from) || holds(arena, at, bound, i == 0)) continue;
      MlirValue c = tt_cmpi(&in, loc, i ? SLT : SGE, at, bound);
      condition = tt_is_null_value(condition) ? c : tt_and(&in, loc, condition, c);
      last = tt_defining_op(condition);
    }
  if (!tt_is_null_value(condition)) guard_body(loop, last, condition);
}

void tt_open_windows(TtArena *arena, MlirOperation top) {
  TtOps loops = tt_collect(arena, top, "scf.for");
  if (tt_op_is(top, "scf.for")) open_window(arena, top);
  for (intptr_t i = 0; i < loops.n; ++i)
    if (!tt_op_eq(loops.data[i], top)) open_window(arena, loops.data[i]);
  TtOps branches = tt_collect(arena, top, "scf.if");
  for (intptr_t i = 0; i < branches.n; ++i) {
    MlirOperation branch = branches.data[i], loop;
    for (loop = loop_in(branch); !mlirOperationIsNull(loop); loop = loop_in(branch))
      branch = sink(branch, loop);
  }
}
