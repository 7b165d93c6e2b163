/*===- carried.c - indices that loops carry and branches give -------------------------------===
 *
 *   %r = scf.for %k = %a to %b step %s iter_args(%i = %x) { yield %i + %d }
 * = scf.for %k = %a to %b step %s { %i = %x + (%k - %a) / %s * %d }
 *   %r = %x + (the steps of the loop) * %d
 *
 *   %r = scf.for %k iter_args(%i = %x) -> (index) { yield select %c, %k, %i }
 * = %r = scf.for %k iter_args(%i = %x as i32) -> (i32) { yield select %c, (%k as i32), %i }
 *
 *   %r = scf.if %c { yield %x } else { yield %y }     %r = select %c, %x, %y
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/carried.h"

#include <string.h>

static bool is_whole_number(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1);
}

/* What is added to an argument of the body in each step: `arg` + the result is `next`. Null where
 * `next` is something else. */
static MlirValue increment(MlirOperation loop, MlirValue arg, MlirValue next) {
  MlirOperation op = tt_defining_op(next);
  MlirValue none = {NULL};
  if (!tt_op_is(op, "arith.addi")) return none;
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  MlirValue step = tt_value_eq(x, arg) ? y : tt_value_eq(y, arg) ? x : none;
  if (tt_is_null_value(step) || tt_value_eq(step, arg) || tt_is_defined_in(loop, step)) {
    int64_t constant;
    if (tt_is_null_value(step) || !tt_constant(step, &constant)) return none;
    TtBuilder b = tt_builder_before(loop); /* a constant in the body */
    MlirLocation loc = mlirOperationGetLocation(loop);
    return tt_cast(&b, loc, "arith.index_cast", tt_index(&b, loc, constant),
                   mlirValueGetType(step));
  }
  return step;
}

/* from + count * step, in the type of `from`. */
static MlirValue at_step(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue count,
                         MlirValue step) {
  MlirType type = mlirValueGetType(from), index = mlirIndexTypeGet(b->context);
  MlirValue moved = tt_mul(b, loc, count, tt_cast(b, loc, "arith.index_cast", step, index));
  return tt_cast(b, loc, "arith.index_cast",
                 tt_add(b, loc, tt_cast(b, loc, "arith.index_cast", from, index), moved), type);
}

/* Replaces what a loop carries in argument `i` (after the variable); false where it stays. */
static bool expand_argument(MlirOperation loop, intptr_t i) {
  MlirBlock body = tt_for_body(loop);
  MlirValue arg = mlirBlockGetArgument(body, i + 1), first = mlirOperationGetOperand(loop, i + 3),
            next = mlirOperationGetOperand(mlirBlockGetTerminator(body), i),
            result = mlirOperationGetResult(loop, i);
  if (tt_value_eq(next, arg)) {
    mlirValueReplaceAllUsesOfWith(arg, first);
    mlirValueReplaceAllUsesOfWith(result, first);
    return true;
  }
  if (!is_whole_number(arg) || !mlirTypeIsAIndex(mlirValueGetType(tt_for_iv(loop)))) return false;
  MlirValue step = increment(loop, arg, next);
  if (tt_is_null_value(step)) return false;
  MlirLocation loc = mlirOperationGetLocation(loop);
  MlirValue lower = mlirOperationGetOperand(loop, 0), upper = mlirOperationGetOperand(loop, 1),
            stride = mlirOperationGetOperand(loop, 2);
  TtBuilder in = tt_builder_at_start(body), after = tt_builder_after(loop);
  MlirValue count = tt_div(&in, loc, tt_sub(&in, loc, tt_for_iv(loop), lower), stride);
  mlirValueReplaceAllUsesOfWith(arg, at_step(&in, loc, first, count, step));
  if (tt_has_uses(result)) {
    MlirValue less = tt_sub(&after, loc, stride, tt_index(&after, loc, 1)),
              whole = tt_add(&after, loc, tt_sub(&after, loc, upper, lower), less);
    mlirValueReplaceAllUsesOfWith(
        result, at_step(&after, loc, first, tt_div(&after, loc, whole, stride), step));
  }
  return true;
}

/*===- Indices and flags --------------------------------------------------------------===*/

/* `value` as an integer, where `index` is the index that `arg` is; choices of `body` become choices
 * of integers. */
static MlirValue as_integer(TtBuilder *b, MlirBlock body, MlirValue value, MlirValue index,
                            MlirValue arg, int depth) {
  MlirOperation op = tt_defining_op(value);
  if (tt_value_eq(value, index)) return arg;
  MlirType type = mlirValueGetType(arg);
  if (!tt_op_is(op, "arith.select") || depth == 0 ||
      !mlirBlockEqual(mlirOperationGetBlock(op), body))
    return tt_cast(b, mlirOperationGetLocation(mlirBlockGetTerminator(body)), "arith.index_cast",
                   value, type);
  TtOpState s = tt_op_state("arith.select", mlirOperationGetLocation(op));
  tt_op_state_operand(&s, mlirOperationGetOperand(op, 0));
  for (intptr_t i = 1; i < 3; ++i)
    tt_op_state_operand(&s,
                        as_integer(b, body, mlirOperationGetOperand(op, i), index, arg, depth - 1));
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* A flag as an integer. */
static MlirValue flag_as_integer(TtBuilder *b, MlirLocation loc, MlirValue flag, MlirType type) {
  return tt_cast(b, loc, "arith.extui", flag, type);
}

/* `value`, an index or a flag, becomes an integer; what used it uses that as what it was. This. */
static MlirValue become_integer(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type) {
  MlirType was = mlirValueGetType(value);
  mlirValueSetType(value, type);
  MlirValue same = mlirTypeIsAIndex(was) ? tt_cast(b, loc, "arith.index_cast", value, was)
                                         : tt_ne(b, loc, value, tt_zero(b, loc, type));
  MlirOperation cast = tt_defining_op(same);
  mlirValueReplaceAllUsesExcept(value, same, 1, &cast);
  return same;
}

/* An index that each step chooses, as where the largest element so far is, and a flag, as whether
 * there was one, lie in buffers like other numbers of elements: as integers, since tensors hold
 * those. */
static void carry_integer(MlirOperation loop, intptr_t i) {
  enum { DEPTH = 16 };
  MlirBlock body = tt_for_body(loop);
  MlirValue arg = mlirBlockGetArgument(body, i + 1), result = mlirOperationGetResult(loop, i),
            first = mlirOperationGetOperand(loop, i + 3);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue next = mlirOperationGetOperand(yield, i);
  bool flag = mlirTypeIsAInteger(mlirValueGetType(arg)) &&
              mlirIntegerTypeGetWidth(mlirValueGetType(arg)) == 1,
       index = mlirTypeIsAIndex(mlirValueGetType(arg)) &&
               tt_op_is(tt_defining_op(next), "arith.select");
  if (!flag && !index) return;
  MlirLocation loc = mlirOperationGetLocation(loop);
  TtBuilder before = tt_builder_before(loop), in = tt_builder_at_start(body),
            end = tt_builder_before(yield), after = tt_builder_after(loop);
  MlirType type = mlirIntegerTypeGet(before.context, 32);
  mlirOperationSetOperand(loop, i + 3,
                          flag ? flag_as_integer(&before, loc, first, type)
                               : tt_cast(&before, loc, "arith.index_cast", first, type));
  MlirValue same = become_integer(&in, loc, arg, type);
  become_integer(&after, loc, result, type);
  next = mlirOperationGetOperand(yield, i);
  mlirOperationSetOperand(yield, i,
                          flag ? flag_as_integer(&end, loc, next, type)
                               : as_integer(&end, body, next, same, arg, DEPTH));
}

/*===- Loops ---------------------------------------------------------------------------------===*/

/* The loop without the arguments that are `gone`. */
static void drop_arguments(MlirOperation loop, const bool *gone) {
  TtBuilder b = tt_builder_before(loop);
  intptr_t n = mlirOperationGetNumResults(loop);
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  TtOpState s = tt_op_state("scf.for", mlirOperationGetLocation(loop)),
            y = tt_op_state("scf.yield", mlirOperationGetLocation(yield));
  for (intptr_t i = 0; i < 3; ++i) tt_op_state_operand(&s, mlirOperationGetOperand(loop, i));
  for (intptr_t i = 0; i < n; ++i) {
    if (gone[i]) continue;
    tt_op_state_operand(&s, mlirOperationGetOperand(loop, i + 3));
    tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(loop, i)));
    tt_op_state_operand(&y, mlirOperationGetOperand(yield, i));
  }
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirRegionTakeBody(mlirOperationGetRegion(made, 0), mlirOperationGetRegion(loop, 0));
  TtBuilder end = tt_builder_before(yield);
  tt_builder_insert(&end, tt_op_state_finish(&y));
  mlirOperationDestroy(yield);
  for (intptr_t i = n; i-- > 0;)
    if (gone[i]) mlirBlockEraseArgument(tt_for_body(made), (unsigned)(i + 1));
  for (intptr_t i = 0, kept = 0; i < n; ++i)
    if (!gone[i])
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i),
                                    mlirOperationGetResult(made, kept++));
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(loop); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(loop, i);
    mlirOperationSetDiscardableAttributeByName(made, mlirIdentifierStr(attr.name), attr.attribute);
  }
  mlirOperationDestroy(loop);
}

static void expand_loop(TtArena *arena, MlirOperation loop) {
  intptr_t n = mlirOperationGetNumResults(loop);
  bool *gone = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *gone), any = false;
  for (intptr_t i = 0; i < n; ++i) any |= gone[i] = expand_argument(loop, i);
  for (intptr_t i = 0; i < n; ++i)
    if (!gone[i]) carry_integer(loop, i);
  if (any) drop_arguments(loop, gone);
}

/*===- Branches ------------------------------------------------------------------------------===*/

static bool is_arithmetic(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  bool known = (name.length > 6 && memcmp(name.data, "arith.", 6) == 0) ||
               tt_op_is(op, "affine.apply") || tt_op_is(op, "affine.min") ||
               tt_op_is(op, "affine.max") || tt_op_is(op, "memref.subview") ||
               tt_op_is(op, "memref.cast");
  return known && mlirOperationGetNumRegions(op) == 0;
}

/* Moves what only computes numbers out of a branch; in order, so that operands come first. */
static void hoist(MlirBlock block, MlirOperation branch) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op);
       op = next) {
    next = tt_next(op);
    bool free = is_arithmetic(op);
    for (intptr_t i = 0; free && i < mlirOperationGetNumOperands(op); ++i) {
      MlirOperation from = tt_defining_op(mlirOperationGetOperand(op, i));
      free = mlirOperationIsNull(from) || !mlirBlockEqual(mlirOperationGetBlock(from), block);
    }
    if (free) mlirOperationMoveBefore(op, branch);
  }
}

/* Whether branch `i` of an scf.if gives numbers that are known before it. */
static bool gives_known(MlirOperation branch, intptr_t i) {
  MlirOperation yield =
      mlirBlockGetTerminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, i)));
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(yield); ++j) {
    MlirValue value = mlirOperationGetOperand(yield, j);
    MlirType type = mlirValueGetType(value);
    bool number = mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type);
    if (!number || tt_is_defined_in(branch, value)) return false;
  }
  return true;
}

static MlirValue yielded(MlirOperation branch, intptr_t i, intptr_t j) {
  return mlirOperationGetOperand(
      mlirBlockGetTerminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, i))), j);
}

/* An scf.if whose results are numbers: choices before it, and what else it does without. */
static void expand_branch(MlirOperation branch) {
  for (intptr_t i = 0; i < 2; ++i)
    hoist(mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, i)), branch);
  if (!gives_known(branch, 0) || !gives_known(branch, 1)) return;
  TtBuilder b = tt_builder_before(branch);
  MlirLocation loc = mlirOperationGetLocation(branch);
  MlirValue condition = mlirOperationGetOperand(branch, 0);
  for (intptr_t j = 0; j < mlirOperationGetNumResults(branch); ++j) {
    TtOpState s = tt_op_state("arith.select", loc);
    tt_op_state_operand(&s, condition);
    tt_op_state_operand(&s, yielded(branch, 0, j));
    tt_op_state_operand(&s, yielded(branch, 1, j));
    tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(branch, j)));
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(branch, j),
        mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
  }
  MlirOperation plain = tt_if_else(&b, loc, condition);
  for (intptr_t i = 0; i < 2; ++i) {
    MlirBlock from = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, i)),
              to = mlirRegionGetFirstBlock(mlirOperationGetRegion(plain, i));
    MlirOperation end = mlirBlockGetTerminator(from), before = mlirBlockGetTerminator(to);
    for (MlirOperation op = mlirBlockGetFirstOperation(from), next; !tt_op_eq(op, end); op = next) {
      next = tt_next(op);
      mlirOperationMoveBefore(op, before);
    }
  }
  mlirOperationDestroy(branch);
}

void tt_expand_carried(TtArena *arena, MlirOperation kernel) {
  TtOps branches = tt_collect(arena, kernel, "scf.if");
  for (intptr_t i = branches.n; i-- > 0;) /* those inside come first */
    if (mlirOperationGetNumResults(branches.data[i]) > 0) expand_branch(branches.data[i]);
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i)
    if (mlirOperationGetNumResults(loops.data[i]) > 0) expand_loop(arena, loops.data[i]);
}
