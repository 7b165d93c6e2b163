/*===- hoist_indices.c - integers of a tensor that steer, and their branches, out of loops ------===
 *
 * Loops over elements that take a row which a list names have the row's number inside, as a grid
 * over elements leaves it, and often a branch for what is no row:
 *
 *   for %j { %v = load %I[%i]                     %v = load %I[%i]
 *            %y = if %v >= 0 {                    if %v >= 0 {
 *                   yield load %A[%v, %j] }         for %j { store load %A[%v, %j], %C[%i, %j] }
 *                 else { yield %zero }       =    } else {
 *            store %y, %C[%i, %j] }                 for %j { store %zero, %C[%i, %j] }
 *                                                 }
 *
 * The same of arith.select, and of loops that carry numbers: the branch gives what the loop does.
 * What does not change in the loop goes before it, and so does what bounds of inner loops are made
 * of, as where a segment begins. It is taken from inside of its tensor also where the loop has no
 * step. Left alone: conditions that change in the loop, and integers that are neither a place nor a
 * bound.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/hoist_indices.h"

#include "Analysis/index_range.h"
#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Transforms/Raise/index_inside.h"

#include <string.h>

/* Values that are looked at to answer one question: what is made of itself many times has as many
 * ways to it as there are paths. */
enum { MAX_VALUES = 4096, MAX_DEPTH = 64 };

static bool is_integer(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type);
}

static bool starts_with(MlirOperation op, const char *prefix) {
  MlirStringRef name = tt_op_name(op);
  size_t n = strlen(prefix);
  return name.length > n && memcmp(name.data, prefix, n) == 0;
}

/* Arithmetic that gives an integer. */
static bool is_arithmetic(MlirOperation op) {
  bool known = starts_with(op, "arith.") || tt_op_is(op, "affine.apply");
  return known && mlirOperationGetNumResults(op) == 1 && is_integer(mlirOperationGetResult(op, 0));
}

/*===- Which integers -------------------------------------------------------------------------===*/

/* Whether `value` is a part of where an element is. */
static bool is_place(MlirValue value, int depth, int *left) {
  if (depth > MAX_DEPTH || --*left < 0) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    unsigned at = mlirOpOperandGetOperandNumber(use);
    if ((tt_op_is(op, "memref.load") && at > 0) || (tt_op_is(op, "memref.store") && at > 1))
      return true;
    if (*left > 0 && is_arithmetic(op) && is_place(mlirOperationGetResult(op, 0), depth + 1, left))
      return true;
  }
  return false;
}

/* Whether `op` loads an integer that says where elements are, from what the kernel only reads. */
static bool steers(TtArgs args, MlirOperation op) {
  if (!tt_op_is(op, "memref.load") ||
      !mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return false;
  const TtArg *arg = tt_arg_of(args, tt_view_root(mlirOperationGetOperand(op, 0)));
  int left = MAX_VALUES;
  return arg && !arg->written && is_place(mlirOperationGetResult(op, 0), 0, &left);
}

/* Whether `value` is made of an integer that steers. */
static bool is_steered(TtArgs args, MlirValue value, int depth, int *left) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth > MAX_DEPTH || --*left < 0) return false;
  if (steers(args, op)) return true;
  if (!is_arithmetic(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_steered(args, mlirOperationGetOperand(op, i), depth + 1, left)) return true;
  return false;
}

/*===- Out of the loop ------------------------------------------------------------------------===*/

static bool is_invariant(MlirOperation loop, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tt_is_defined_in(loop, mlirOperationGetOperand(op, i))) return false;
  return true;
}

/* What is known of `index`, before integers of tensors are read as indices. */
static bool range_of(TtArena *arena, TtArgs args, MlirValue index, int depth, TtIndexRange *range) {
  MlirOperation op = tt_defining_op(index);
  bool sum = tt_op_is(op, "arith.addi"), difference = tt_op_is(op, "arith.subi");
  int64_t by;
  if (tt_constant(index, &by)) return *range = (TtIndexRange){by, by}, true;
  if (depth > MAX_DEPTH) return false;
  if (tt_op_is(op, "arith.index_cast"))
    return range_of(arena, args, mlirOperationGetOperand(op, 0), depth + 1, range);
  if ((sum || difference) && tt_constant(mlirOperationGetOperand(op, 1), &by) &&
      range_of(arena, args, mlirOperationGetOperand(op, 0), depth + 1, range)) {
    return sum ? !__builtin_add_overflow(range->least, by, &range->least) &&
                     !__builtin_add_overflow(range->most, by, &range->most)
               : !__builtin_sub_overflow(range->least, by, &range->least) &&
                     !__builtin_sub_overflow(range->most, by, &range->most);
  }
  if (!tt_op_is(op, "memref.load"))
    return mlirTypeIsAIndex(mlirValueGetType(index)) && tt_index_range(arena, index, range);
  const TtArg *arg = tt_arg_of(args, tt_view_root(mlirOperationGetOperand(op, 0)));
  if (!arg || arg->written) return false;
  TtRange given = tt_arg_range(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(arg->value)),
                               mlirBlockArgumentGetArgNumber(arg->value));
  *range = (TtIndexRange){given.lo, given.hi};
  return given.given;
}

/* Whether `loop` has a step, whatever tensors hold. */
static bool has_steps(TtArena *arena, TtArgs args, MlirOperation loop) {
  TtIndexRange from, to;
  return range_of(arena, args, mlirOperationGetOperand(loop, 0), 0, &from) &&
         range_of(arena, args, mlirOperationGetOperand(loop, 1), 0, &to) && from.most < to.least;
}

/* `op` goes before `loop`. What it loads is inside of its tensor where the loop has steps; where it
 * has none, nobody takes what is loaded, but it is loaded: from inside of the tensor as well. */
static void move_out(TtArena *arena, TtArgs args, MlirOperation op, MlirOperation loop) {
  mlirOperationMoveBefore(op, loop);
  if (!tt_op_is(op, "memref.load") || has_steps(arena, args, loop)) return;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    MlirValue index = mlirOperationGetOperand(op, d + 1);
    TtIndexRange range = {INT64_MIN, INT64_MAX};
    (void)range_of(arena, args, index, 0, &range);
    TtBuilder b = tt_builder_before(op);
    int64_t last =
        mlirShapedTypeIsDynamicDim(type, d) ? INT64_MAX : mlirShapedTypeGetDimSize(type, d) - 1;
    mlirOperationSetOperand(op, d + 1, tt_index_inside(&b, loc, index, range, last));
  }
}

/* Moves integers that steer, and arithmetic, right in `loop`, before it: also where what such an
 * integer is compared with stands in the loop, and itself before it. (A loop that carries numbers
 * has choices then: a sum of one term.) */
static void hoist(TtArena *arena, TtArgs args, MlirOperation loop) {
  bool any = false;
  MlirBlock body = tt_for_body(loop);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !any && !tt_is_terminator(op);
       op = tt_next(op)) {
    int left = MAX_VALUES;
    any = steers(args, op) || (mlirOperationGetNumResults(loop) == 0 && is_arithmetic(op) &&
                               is_steered(args, mlirOperationGetResult(op, 0), 0, &left));
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; any && !tt_is_terminator(op);
       op = next) {
    next = tt_next(op);
    if ((is_arithmetic(op) || steers(args, op)) && is_invariant(loop, op))
      move_out(arena, args, op, loop);
  }
}

/* Moves `value`, of which a loop's bound is made, out of loops in which it does not change. */
static void hoist_bound(TtArena *arena, TtArgs args, MlirValue value, int depth, int *left) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth > MAX_DEPTH || --*left < 0) return;
  const TtArg *tensor = tt_op_is(op, "memref.load") && is_integer(value)
                            ? tt_arg_of(args, tt_view_root(mlirOperationGetOperand(op, 0)))
                            : NULL;
  if (!is_arithmetic(op) && !(tensor && !tensor->written)) return;
  for (MlirOperation loop = tt_parent(op); tt_op_is(loop, "scf.for"); loop = tt_parent(op)) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (tt_is_defined_in(loop, mlirOperationGetOperand(op, i)))
        hoist_bound(arena, args, mlirOperationGetOperand(op, i), depth + 1, left);
    if (!is_invariant(loop, op)) return;
    move_out(arena, args, op, loop);
  }
}

/*===- Branches -------------------------------------------------------------------------------===*/

/* A choice right in `loop` by an integer that steers and does not change in it: where it stands in
 * the body, or -1. */
static intptr_t find_choice(TtArgs args, MlirOperation loop) {
  intptr_t at = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op), ++at) {
    bool select = tt_op_is(op, "arith.select");
    if (!select && !tt_op_is(op, "scf.if")) continue;
    if (select && is_integer(mlirOperationGetResult(op, 0))) continue;
    MlirValue condition = mlirOperationGetOperand(op, 0);
    int left = MAX_VALUES;
    if (!tt_is_defined_in(loop, condition) && is_steered(args, condition, 0, &left)) return at;
  }
  return -1;
}

/* Replaces a choice by what it gives where its condition is true (side 0), or false. */
static void choose(MlirOperation choice, intptr_t side) {
  if (tt_op_is(choice, "arith.select")) {
    tt_replace(choice, mlirOperationGetOperand(choice, 1 + side));
    return;
  }
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(choice, side));
  while (!mlirBlockIsNull(block) && !tt_is_terminator(mlirBlockGetFirstOperation(block)))
    mlirOperationMoveBefore(mlirBlockGetFirstOperation(block), choice);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(choice); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(choice, i),
                                  mlirOperationGetOperand(mlirBlockGetTerminator(block), i));
  mlirOperationDestroy(choice);
}

static bool stores(TtArena *arena, MlirOperation loop) {
  TtOps ops = tt_collect(arena, loop, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "memref.store") || tt_op_is(ops.data[i], "memref.copy") ||
        tt_is_linalg(ops.data[i]))
      return true;
  return false;
}

/* Whether `loop` gives the numbers that it is given. */
static bool does_nothing(TtArena *arena, MlirOperation loop) {
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  bool same = !stores(arena, loop);
  for (intptr_t i = 0; same && i < mlirOperationGetNumOperands(yield); ++i)
    same = tt_value_eq(mlirOperationGetOperand(yield, i), mlirBlockGetArgument(body, i + 1));
  return same;
}

/* `loop` with side `side` of its choice, at the end of `block`, which yields what it gives. */
static void add_side(TtArena *arena, MlirOperation loop, intptr_t at, intptr_t side,
                     MlirBlock block) {
  MlirOperation copy = mlirOperationClone(loop), end = mlirBlockGetTerminator(block);
  TtBuilder b = tt_builder_before(end);
  tt_builder_insert(&b, copy);
  intptr_t n = mlirOperationGetNumResults(copy);
  MlirValue *given = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *given);
  for (intptr_t i = 0; i < n; ++i) given[i] = mlirOperationGetResult(copy, i);
  mlirOperationSetOperands(end, n, given);
  MlirOperation choice = mlirBlockGetFirstOperation(tt_for_body(copy));
  while (at-- > 0) choice = tt_next(choice);
  choose(choice, side);
  if (!does_nothing(arena, copy)) return;
  for (intptr_t i = 0; i < n; ++i) given[i] = mlirOperationGetOperand(copy, i + 3);
  mlirOperationSetOperands(end, n, given);
  mlirOperationDestroy(copy);
}

/* Whether all in `loop` is numbers, elements and loops over these. */
static bool is_of_elements(TtArena *arena, MlirOperation loop) {
  TtOps ops = tt_collect(arena, loop, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!starts_with(op, "arith.") && !starts_with(op, "math.") && !starts_with(op, "affine.") &&
        !starts_with(op, "scf.") && !tt_op_is(op, "memref.load") && !tt_op_is(op, "memref.store"))
      return false;
  }
  return true;
}

static void leave(TtArena *arena, TtArgs args, MlirOperation loop, int *copies);

/* A branch by what `choice` asks, before `loop`, which gives as many numbers as that. */
static MlirOperation branch_of(MlirOperation loop, MlirOperation choice) {
  TtBuilder b = tt_builder_before(loop);
  MlirLocation loc = mlirOperationGetLocation(choice);
  TtOpState s = tt_op_state("scf.if", loc);
  tt_op_state_operand(&s, mlirOperationGetOperand(choice, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(loop, i)));
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  for (int side = 0; side < 2; ++side) {
    MlirOperationState yield = mlirOperationStateGet(tt_str("scf.yield"), loc);
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(regions[side], block);
    mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&yield));
  }
  mlirOperationStateAddOwnedRegions(&s, 2, regions);
  return tt_builder_insert(&b, tt_op_state_finish(&s));
}

/* for %j { if %c { a } else { b } }  =  if %c { for %j { a } } else { for %j { b } } */
static void exchange(TtArena *arena, TtArgs args, MlirOperation loop, intptr_t at, int *copies) {
  MlirOperation choice = mlirBlockGetFirstOperation(tt_for_body(loop));
  for (intptr_t i = at; i-- > 0;) choice = tt_next(choice);
  MlirOperation branch = branch_of(loop, choice);
  for (intptr_t side = 0; side < 2; ++side) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, side));
    add_side(arena, loop, at, side, block);
    MlirOperation made = mlirBlockGetFirstOperation(block);
    if (!tt_is_terminator(made)) leave(arena, args, made, copies);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i),
                                  mlirOperationGetResult(branch, i));
  mlirOperationDestroy(loop);
}

/* Has what steers leave `loop`. */
static void leave(TtArena *arena, TtArgs args, MlirOperation loop, int *copies) {
  enum { MOST = 256 };
  hoist(arena, args, loop);
  if (*copies >= MOST || !is_of_elements(arena, loop)) return;
  intptr_t at = find_choice(args, loop);
  if (at < 0) return;
  *copies += 2;
  exchange(arena, args, loop, at, copies);
}

void tt_hoist_indices(TtArena *arena, MlirOperation kernel) {
  TtArgs args = tt_kernel_args(arena, kernel);
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  int copies = 0;
  for (intptr_t i = loops.n; i-- > 0;) /* those inside come first */
    leave(arena, args, loops.data[i], &copies);
  loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i)
    for (intptr_t bound = 0; bound < 3; ++bound) {
      int left = MAX_VALUES;
      hoist_bound(arena, args, mlirOperationGetOperand(loops.data[i], bound), 0, &left);
    }
}
