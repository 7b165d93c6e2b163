/*===- carried_buffers.c - buffers that loops carry from step to step ---------------------------===
 *
 *   %p = alloc, %q = alloc                                two buffers that change places
 *   scf.for iter_args(%a = %p, %b = %q) { add %a, %x -> %b; yield %b, %a }
 * = scf.for { add %p, %x -> %q; copy %q to %p }
 *
 * A core's buffers are circular buffers, which have no addresses that could change places. What is
 * yielded is copied into the buffer that the loop began with, unless a step writes all of that
 * before it reads it, and nobody reads it behind the loop. That is the same where no two of the
 * values that are carried can be one buffer: where each begins as a buffer of its own that nobody
 * else reads from the loop on, and what is yielded is each of them at most once, or a buffer that
 * the step made.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/carried.h"

#include "Dialect/op_info.h"
#include "Transforms/Tile/lowering.h"

enum { MOST_CARRIED = 16 };

static bool is_alloc(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca");
}

static MlirValue arg_of(MlirOperation loop, intptr_t k) {
  return mlirBlockGetArgument(tt_for_body(loop), k + 1);
}

static MlirValue next_of(MlirOperation loop, intptr_t k) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(tt_for_body(loop)), k);
}

/* Whether only what stands before the loop uses the buffer that `k` begins with. */
static bool begins_alone(MlirOperation loop, intptr_t k) {
  MlirValue first = mlirOperationGetOperand(loop, k + 3);
  int times = 0;
  if (!is_alloc(first)) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(first); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation beside = tt_ancestor_in(mlirOperationGetBlock(loop), user);
    bool before =
        !mlirOperationIsNull(beside) && !tt_op_eq(beside, loop) && tt_is_before(beside, loop);
    times += tt_op_eq(user, loop);
    if (!before && !tt_op_eq(user, loop) && !tt_op_is(user, "memref.dealloc")) return false;
  }
  return times == 1 &&
         mlirBlockEqual(mlirOperationGetBlock(tt_defining_op(first)), mlirOperationGetBlock(loop));
}

/* Whether what is yielded for `k` is carried by the loop, or made by the step, and yielded once. */
static bool goes_on_alone(MlirOperation loop, intptr_t n, intptr_t k) {
  MlirValue next = next_of(loop, k);
  bool carried = false;
  for (intptr_t j = 0; j < n; ++j) {
    carried |= tt_value_eq(next, arg_of(loop, j));
    if (j != k && tt_value_eq(next, next_of(loop, j))) return false;
  }
  return carried || (is_alloc(next) && mlirBlockEqual(mlirOperationGetBlock(tt_defining_op(next)),
                                                      tt_for_body(loop)));
}

/* Whether `op` writes all of `buffer`, and reads nothing of it. */
static bool writes_all(MlirOperation op, MlirValue buffer) {
  intptr_t n = mlirOperationGetNumOperands(op), at = -1;
  for (intptr_t i = 0; i < n; ++i) {
    if (!tt_value_eq(mlirOperationGetOperand(op, i), buffer)) continue;
    if (at >= 0) return false;
    at = i;
  }
  if (tt_op_is(op, "memref.copy")) return at == 1;
  return tt_is_linalg(op) && at >= tt_linalg_num_inputs(op) &&
         !tt_reads_output(op, at - tt_linalg_num_inputs(op));
}

/* Whether what `k` holds when a step begins is read. */
static bool is_read(MlirOperation loop, intptr_t k) {
  MlirValue arg = arg_of(loop, k);
  if (tt_has_uses(mlirOperationGetResult(loop, k))) return true;
  MlirOperation first = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(arg); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = tt_ancestor_in(tt_for_body(loop), mlirOpOperandGetOwner(use));
    if (mlirOperationIsNull(first) || tt_is_before(op, first)) first = op;
  }
  return mlirOperationIsNull(first) || !writes_all(first, arg);
}

static void copy(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to) {
  TtOpState s = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* Copies what goes on; where a source is overwritten as well, through a buffer between. */
static void copy_all(MlirOperation loop, intptr_t n, const bool *moves) {
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(loop));
  MlirLocation loc = mlirOperationGetLocation(loop);
  TtBuilder b = tt_builder_before(end);
  MlirValue from[MOST_CARRIED];
  for (intptr_t k = 0; k < n; ++k) {
    from[k] = next_of(loop, k);
    bool overwritten = false;
    for (intptr_t j = 0; j < k; ++j)
      overwritten |= moves[j] && tt_value_eq(from[k], arg_of(loop, j));
    if (!moves[k] || !overwritten) continue;
    MlirOperation alloc = tt_defining_op(mlirOperationGetOperand(loop, k + 3));
    MlirValue between = mlirOperationGetResult(tt_builder_insert(&b, mlirOperationClone(alloc)), 0);
    copy(&b, loc, from[k], between);
    from[k] = between;
  }
  for (intptr_t k = 0; k < n; ++k)
    if (moves[k]) copy(&b, loc, from[k], arg_of(loop, k));
}

static void settle(MlirOperation loop) {
  intptr_t n = mlirOperationGetNumResults(loop);
  bool moves[MOST_CARRIED] = {false}, settled[MOST_CARRIED] = {false};
  if (n > MOST_CARRIED) return;
  for (intptr_t k = 0; k < n; ++k) {
    settled[k] = tt_is_memref(mlirValueGetType(arg_of(loop, k)));
    if (!settled[k] || tt_value_eq(next_of(loop, k), arg_of(loop, k))) continue;
    if (!begins_alone(loop, k) || !goes_on_alone(loop, n, k)) return;
    moves[k] = is_read(loop, k);
  }
  copy_all(loop, n, moves);
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(loop));
  for (intptr_t k = 0; k < n; ++k)
    if (settled[k]) mlirOperationSetOperand(end, k, arg_of(loop, k));
}

void tt_settle_buffers(TtArena *arena, MlirOperation kernel) {
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i)
    if (mlirOperationGetNumResults(loops.data[i]) > 0) settle(loops.data[i]);
}
