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
 * else reads from the loop on, under any name, and what is yielded is each of them at most once, or
 * a buffer that the step made. Else the loop is refused. What is yielded as it was given is the
 * buffer that the loop began with. Buffers of a core are there as long as it runs: memref.dealloc
 * of one goes.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/carried.h"

#include "Analysis/kernel.h"
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

static bool is_number(MlirType type) {
  return mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) ||
         mlirTypeIsAVector(type);
}

/* A use of `value`, in which `loop` begins at `depth` 0, or of what is made of it, that does not
 * stand before the loop: views, and what branches and loops give, may be the buffer. Null if there
 * is none. */
static MlirOperation later_use(MlirOperation loop, MlirValue value, int depth) {
  enum { DEEPEST = 8 };
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (depth == 0 && tt_op_eq(user, loop)) continue;
    MlirOperation beside = tt_ancestor_in(mlirOperationGetBlock(loop), user);
    if (depth == DEEPEST || mlirOperationIsNull(beside) || tt_op_eq(beside, loop) ||
        !tt_is_before(beside, loop))
      return user;
    MlirOperation gives = mlirOperationIsNull(tt_next(user)) ? tt_parent(user) : user;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(gives); ++i) {
      MlirValue result = mlirOperationGetResult(gives, i);
      if (is_number(mlirValueGetType(result))) continue;
      MlirOperation later = later_use(loop, result, depth + 1);
      if (!mlirOperationIsNull(later)) return later;
    }
  }
  return (MlirOperation){NULL};
}

/* Whether only what stands before the loop uses the buffer that `k` begins with: one that is made
 * beside the loop, or that a loop around it carries, which began so. Else `*later` is a use that
 * does not, or null. */
static bool begins_alone(MlirOperation loop, intptr_t k, MlirOperation *later) {
  MlirValue first = mlirOperationGetOperand(loop, k + 3);
  MlirOperation outer = tt_parent(loop);
  *later = later_use(loop, first, 0);
  for (intptr_t j = 0; j < mlirOperationGetNumResults(loop); ++j)
    if (j != k && tt_value_eq(first, mlirOperationGetOperand(loop, j + 3))) *later = loop;
  if (!mlirOperationIsNull(*later)) return false;
  if (is_alloc(first))
    return mlirBlockEqual(mlirOperationGetBlock(tt_defining_op(first)),
                          mlirOperationGetBlock(loop));
  for (intptr_t j = 0; tt_op_is(outer, "scf.for") && j < mlirOperationGetNumResults(outer); ++j)
    if (tt_value_eq(first, arg_of(outer, j))) return begins_alone(outer, j, later);
  return false;
}

/* Whether what is yielded for `k` is carried by the loop, or made by the step, and yielded once. */
static bool goes_on_alone(MlirOperation loop, intptr_t k) {
  intptr_t n = mlirOperationGetNumResults(loop);
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

/* Where the buffer that `k` begins alone with is made. */
static MlirOperation alloc_of(MlirOperation loop, intptr_t k) {
  MlirValue first = mlirOperationGetOperand(loop, k + 3);
  MlirOperation outer = tt_parent(loop);
  for (intptr_t j = 0; !is_alloc(first) && j < mlirOperationGetNumResults(outer); ++j)
    if (tt_value_eq(first, arg_of(outer, j))) return alloc_of(outer, j);
  return tt_defining_op(first);
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
    MlirOperation alloc = mlirOperationClone(alloc_of(loop, k));
    MlirValue between = mlirOperationGetResult(tt_builder_insert(&b, alloc), 0);
    copy(&b, loc, from[k], between);
    from[k] = between;
  }
  for (intptr_t k = 0; k < n; ++k)
    if (moves[k]) copy(&b, loc, from[k], arg_of(loop, k));
}

/* Says why the buffers that `loop` carries may be one. */
static bool refuse_start(MlirOperation loop, intptr_t k, MlirOperation later) {
  MlirLocation where = mlirOperationGetLocation(mlirOperationIsNull(later) ? loop : later);
  const char *note = "it is used here, too";
  return tt_error_with_notes(
      loop, mlirOperationIsNull(later) || tt_op_eq(later, loop) ? 0 : 1, &where, &note,
      "this loop carries buffers that change places, and iter_arg #%jd may be one with another "
      "one: what it begins with is %s; begin with a memref.alloc right before the loop that nobody "
      "else uses from there on, and memref.copy what it holds into it",
      (intmax_t)k,
      mlirOperationIsNull(later) ? "no buffer that is made beside the loop"
                                 : "a buffer that is used otherwise from the loop on");
}

static bool refuse_next(MlirOperation loop, const MlirValue *given, intptr_t n, intptr_t k) {
  for (intptr_t j = 0; j < n; ++j)
    if (j != k && tt_value_eq(given[k], given[j]))
      return tt_error(loop,
                      "this loop carries buffers that change places, and iter_args #%jd and #%jd "
                      "become one, which is yielded for both; yield it for one of them, and for "
                      "the other a memref.alloc of the step that it is copied into by memref.copy",
                      (intmax_t)(j < k ? j : k), (intmax_t)(j < k ? k : j));
  return tt_error(loop,
                  "this loop carries buffers that change places, and iter_arg #%jd may become one "
                  "with another one: what is yielded for it is neither an iter_arg of the loop nor "
                  "a memref.alloc of the step; memref.copy it into such an alloc, and yield that",
                  (intmax_t)k);
}

/* From now on `k` is what it began with. */
static void stay(MlirOperation loop, intptr_t k) {
  MlirValue first = mlirOperationGetOperand(loop, k + 3);
  mlirValueReplaceAllUsesOfWith(arg_of(loop, k), first);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, k), first);
  mlirOperationSetOperand(mlirBlockGetTerminator(tt_for_body(loop)), k, arg_of(loop, k));
}

/* False after an error. */
static bool settle(MlirOperation loop) {
  intptr_t n = mlirOperationGetNumResults(loop);
  bool moves[MOST_CARRIED] = {false}, changes[MOST_CARRIED] = {false};
  MlirValue given[MOST_CARRIED]; /* what is yielded, before anything changes */
  MlirOperation later;
  for (intptr_t k = 0; k < n && k < MOST_CARRIED; ++k) given[k] = next_of(loop, k);
  for (intptr_t k = 0; k < n; ++k) {
    bool buffer = tt_is_memref(mlirValueGetType(arg_of(loop, k)));
    bool same = tt_value_eq(next_of(loop, k), arg_of(loop, k));
    if (buffer && same) stay(loop, k);
    else if (buffer && k >= MOST_CARRIED)
      return tt_error(loop,
                      "this loop carries buffers that change places, and %jd values; at most the "
                      "first %d may be such buffers",
                      (intmax_t)n, MOST_CARRIED);
    else if (buffer) changes[k] = true;
  }
  n = n < MOST_CARRIED ? n : MOST_CARRIED;
  for (intptr_t k = 0; k < n; ++k) {
    if (!changes[k]) continue;
    if (!begins_alone(loop, k, &later)) return refuse_start(loop, k, later);
    if (!goes_on_alone(loop, k)) return refuse_next(loop, given, n, k);
    moves[k] = is_read(loop, k);
  }
  copy_all(loop, n, moves);
  for (intptr_t k = 0; k < n; ++k)
    if (changes[k]) stay(loop, k);
  return true;
}

/* Inner loops first, which go on with what outer ones carry. */
static bool settle_in(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation in = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(in);
           in = tt_next(in))
        if (!settle_in(in)) return false;
  return !tt_op_is(op, "scf.for") || settle(op);
}

bool tt_settle_buffers(TtArena *arena, MlirOperation kernel) {
  TtOps ends = tt_collect(arena, kernel, "memref.dealloc");
  for (intptr_t i = 0; i < ends.n; ++i) {
    MlirValue root = tt_view_root(mlirOperationGetOperand(ends.data[i], 0));
    bool tensor = mlirValueIsABlockArgument(root) &&
                  mlirBlockEqual(mlirBlockArgumentGetOwner(root), tt_body(kernel));
    if (!tensor && !tt_op_eq(tt_parent(ends.data[i]), kernel)) mlirOperationDestroy(ends.data[i]);
  }
  return settle_in(kernel);
}
