/*===- step_together.c - ops that go over blocks together ---------------------------------------===
 *
 *   fill %Y                                     for %i = 0 to 500 step 64 {
 *   for %k { %Y += %A[0, %k] * %B[%k, 0] }        fill %Y[%i]
 *                                                 for %k { %Y[%i] += %A[%i, %k] * %B[%k, 0] }
 *                                               }
 *
 * An op for itself would go over all of its block in each step of %k, and a step would read what
 * the one before has written just now, which data movement does not wait for. Together, the sums of
 * a part are done before the next part begins.
 *
 * Right where the ops write that block alone, each element from elements of the same place, or from
 * what none of them writes. So are blocks of several tensors whose ops take each other's:
 *
 *   fill %Y   fill %Z   for %k { %Y += %R[%k]   %Z += %Y }
 *
 * What stands between, and has nothing to do with them, such as another sum, comes behind.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/step_together.h"

#include "Dialect/shapes.h"
#include "Transforms/Raise/kept_views.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/statements.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

/*===- Which ops ------------------------------------------------------------------------------===*/

bool tt_only_computes(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  const char *const of[] = {"arith.",         "affine.apply", "affine.min",  "affine.max",
                            "memref.subview", "memref.dim",   "memref.cast", "tt.runtime_arg"};
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i)
    if (name.length >= strlen(of[i]) && strncmp(name.data, of[i], strlen(of[i])) == 0) return true;
  return false;
}

bool tt_is_same_in(MlirOperation loop, MlirValue value) {
  if (!tt_is_defined_in(loop, value)) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || !tt_only_computes(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!tt_is_same_in(loop, mlirOperationGetOperand(op, i))) return false;
  return true;
}

bool tt_takes_old(MlirOperation op, intptr_t operand) {
  if (operand < tt_linalg_num_inputs(op)) return true;
  MlirBlock body = tt_body(op);
  return !mlirBlockIsNull(body) && operand < mlirBlockGetNumArguments(body) &&
         tt_has_uses(mlirBlockGetArgument(body, operand));
}

/* Whether it is a structured op on memrefs; a fill of one number has no loops. */
static bool is_known(MlirOperation op) {
  return tt_num_op_loops(op) > 0 || tt_op_is(op, "linalg.fill");
}

/* The block of the run that an operand is a view of; -1 where it is none. */
static intptr_t block_of(const TtRun *run, MlirValue operand) {
  for (intptr_t i = 0; i < run->n_blocks; ++i)
    if (tt_value_eq(tt_view_root(operand), tt_view_root(run->blocks[i]))) return i;
  return -1;
}

/* Whether a structured op writes blocks, and nothing else, and reads no other part of their
 * tensors; adds it to the run. */
static bool add_op(TtArena *arena, MlirOperation op, TtRun *run) {
  intptr_t inputs = tt_linalg_num_inputs(op), n = mlirOperationGetNumOperands(op);
  bool old = false;
  if (!is_known(op) || inputs == n) return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    intptr_t of = block_of(run, operand);
    if (of >= 0 ? !tt_same_view(arena, operand, run->blocks[of]) : i >= inputs) return false;
    old |= of >= 0 && tt_takes_old(op, i);
  }
  run->reads_again |= old && (run->ops.n > 0 || run->in_loop);
  tt_ops_add(arena, &run->ops, op);
  return true;
}

static bool add_statement(TtArena *arena, MlirOperation op, TtRun *run);

static bool add_body(TtArena *arena, MlirOperation op, TtRun *run) {
  bool ok = true;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (mlirBlockIsNull(block)) continue;
    for (MlirOperation in = mlirBlockGetFirstOperation(block); ok && !mlirOperationIsNull(in);
         in = tt_next(in))
      ok = add_statement(arena, in, run);
  }
  return ok;
}

/* Whether all of a statement writes the blocks alone, and adds what does so. */
static bool add_statement(TtArena *arena, MlirOperation op, TtRun *run) {
  if (tt_only_computes(op) || tt_is_terminator(op)) return true;
  if (tt_is_linalg(op)) return add_op(arena, op, run);
  bool loop = tt_op_is(op, "scf.for"), outer = run->in_loop;
  if ((!loop && !tt_op_is(op, "scf.if")) || mlirOperationGetNumResults(op) > 0) return false;
  run->in_loop |= loop;
  bool ok = add_body(arena, op, run);
  for (intptr_t i = 0; ok && i < run->ops.n; ++i)
    for (intptr_t j = 0; ok && j < mlirOperationGetNumOperands(run->ops.data[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(run->ops.data[i], j);
      ok = block_of(run, operand) < 0 || tt_is_same_in(op, operand);
    }
  if (!ok) run->in_loop = outer;
  return ok;
}

/* Whether the bounds of a loop are runtime arguments of the core, as those of its units are. */
static bool goes_over_units(MlirOperation loop) {
  for (int i = 0; i < 2; ++i) {
    MlirOperation from = tt_defining_op(mlirOperationGetOperand(loop, i));
    if (tt_runtime_arg_isa(from) && !tt_is_dim_name(tt_string(tt_runtime_arg_name(from))))
      return true;
  }
  return false;
}

/* The outermost of the loops around the op whose steps all have the block, or the op. */
static MlirOperation outermost(MlirOperation op, MlirValue block) {
  MlirOperation most = op;
  for (MlirOperation p = tt_parent(op);
       tt_op_is(p, "scf.for") && mlirOperationGetNumResults(p) == 0 && !goes_over_units(p) &&
       tt_is_same_in(p, block);
       p = tt_parent(p))
    most = p;
  return most;
}

/* Whether a statement may come before those that the run left out. */
static bool passes(TtArena *arena, TtOps left_out, MlirOperation s) {
  TtOps all = tt_statement_ops(arena, s);
  for (intptr_t i = 0; i < left_out.n; ++i)
    if (tt_depend(tt_statement_ops(arena, left_out.data[i]), all)) return false;
  return true;
}

/* Whether the run may come before a statement that stands behind what it has of it. */
static bool leaves_alone(const TtRun *run, TtOps all) {
  for (intptr_t i = 0; i < run->n_blocks; ++i)
    if (tt_any_touches(all, tt_view_root(run->blocks[i]), false)) return false;
  for (intptr_t i = 0; i < run->ops.n; ++i)
    if (tt_depend((TtOps){&run->ops.data[i], 1, 1}, all)) return false;
  return true;
}

/* What an op of a statement writes beside the blocks of the run; null where there is no such part
 * of a tensor. */
static MlirValue other_block(const TtRun *run, TtOps all) {
  for (intptr_t i = 0; i < all.n; ++i) {
    if (!tt_is_linalg(all.data[i])) continue;
    for (intptr_t j = tt_linalg_num_inputs(all.data[i]);
         j < mlirOperationGetNumOperands(all.data[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(all.data[i], j);
      if (block_of(run, operand) < 0 && tt_is_part_of_tensor(operand)) return operand;
    }
  }
  return (MlirValue){NULL};
}

/* Gathers the run of its blocks, from statement `first` on. Gives what else is written where that
 * ends it, or null. */
static MlirValue gather_run(TtArena *arena, MlirOperation first, TtRun *run) {
  enum { MOST_LEFT_OUT = 16 };
  TtOps left_out = {NULL, 0, 0};
  for (MlirOperation s = first; !mlirOperationIsNull(s) && !tt_is_terminator(s); s = tt_next(s)) {
    TtRun before = *run;
    if (add_statement(arena, s, run) && passes(arena, left_out, s)) {
      if (run->ops.n > before.ops.n) tt_ops_add(arena, &run->statements, s);
      continue;
    }
    *run = before;
    TtOps all = tt_statement_ops(arena, s);
    if (!leaves_alone(run, all)) return other_block(run, all);
    if (left_out.n == MOST_LEFT_OUT) break;
    tt_ops_add(arena, &left_out, s);
  }
  return (MlirValue){NULL};
}

/* Whether a run with more blocks goes along all that the other one does. */
static bool goes_as_far(const TtRun *run, const TtRun *more) {
  for (intptr_t d = 0; d < TT_MAX_RANK; ++d)
    if (tt_run_extent(run, d) != 0 && tt_run_extent(more, d) == 0) return false;
  return true;
}

bool tt_run_of(TtArena *arena, MlirOperation op, TtRun *run) {
  *run = (TtRun){.in_loop = false};
  if (!tt_is_linalg(op)) return false;
  intptr_t inputs = tt_linalg_num_inputs(op);
  if (!is_known(op) || inputs >= mlirOperationGetNumOperands(op)) return false;
  MlirValue other = mlirOperationGetOperand(op, inputs);
  if (!tt_is_part_of_tensor(other)) return false;
  MlirOperation first = outermost(op, other);
  TtRun more = *run;
  while (!tt_is_null_value(other) && more.n_blocks < TT_MOST_BLOCKS) {
    TtRun with = {.n_blocks = more.n_blocks};
    memcpy(with.blocks, more.blocks, sizeof with.blocks);
    with.blocks[with.n_blocks++] = other;
    other = gather_run(arena, first, &with);
    if (with.ops.n <= more.ops.n) break;
    more = with;
    if (run->n_blocks == 0 || goes_as_far(run, &more)) *run = more;
  }
  for (intptr_t i = 0; i < run->n_blocks && run->statements.n > 0; ++i)
    if (tt_is_defined_in(run->statements.data[0], run->blocks[i])) return false;
  return run->statements.n > 0;
}

TtRuns tt_runs_of(TtArena *arena, MlirOperation kernel) {
  return (TtRuns){.arena = arena, .ops = tt_collect(arena, kernel, NULL)};
}

bool tt_next_run(TtRuns *runs, TtRun *run) {
  while (runs->next < runs->ops.n) {
    MlirOperation op = runs->ops.data[runs->next++];
    if (tt_op_map_get(&runs->done, op) >= 0 || !tt_run_of(runs->arena, op, run)) continue;
    for (intptr_t i = 0; i < run->ops.n; ++i)
      tt_op_map_set(runs->arena, &runs->done, run->ops.data[i], 1);
    return true;
  }
  return false;
}

/*===- Their loops ----------------------------------------------------------------------------===*/

/* The loop of an op of the run along dimension `d` of the blocks; false where another operand that
 * goes along it is no part of a tensor. */
static bool loop_along(const TtRun *run, MlirOperation op, intptr_t d, TtOpLoop *l) {
  intptr_t loops = tt_num_op_loops(op);
  bool found = false;
  for (intptr_t i = 0; i < loops && !found; ++i)
    found = tt_op_loop_of(op, i, l) && l->along[tt_linalg_num_inputs(op)] == d;
  for (intptr_t i = 0; found && i < l->n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    found = block_of(run, operand) >= 0 ? l->along[i] == d
                                        : l->along[i] < 0 || tt_is_part_of_tensor(operand);
  }
  return found;
}

/* Whether ops take the blocks with each other, so that they are of one size along a loop. */
static bool are_connected(const TtRun *run) {
  bool with_first[TT_MOST_BLOCKS] = {true};
  for (intptr_t round = 0; round < run->n_blocks; ++round)
    for (intptr_t i = 0; i < run->ops.n; ++i) {
      MlirOperation op = run->ops.data[i];
      bool any = false;
      for (int set = 0; set < 2; ++set)
        for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
          intptr_t of = block_of(run, mlirOperationGetOperand(op, j));
          if (of < 0) continue;
          if (set) with_first[of] |= any;
          else any |= with_first[of];
        }
    }
  for (intptr_t i = 0; i < run->n_blocks; ++i)
    if (!with_first[i]) return false;
  return run->n_blocks > 0;
}

int64_t tt_run_extent(const TtRun *run, intptr_t d) {
  TtOpLoop l;
  if (!are_connected(run)) return 0;
  for (intptr_t i = 0; i < run->n_blocks; ++i)
    if (d >= mlirShapedTypeGetRank(mlirValueGetType(run->blocks[i]))) return 0;
  MlirType type = mlirValueGetType(run->blocks[0]);
  int64_t extent = mlirShapedTypeGetDimSize(type, d);
  bool open = mlirShapedTypeIsDynamicDim(type, d);
  for (intptr_t i = 0; i < run->ops.n; ++i) {
    if (!loop_along(run, run->ops.data[i], d, &l)) return 0;
    for (intptr_t j = 0; j < l.n; ++j)
      if (l.along[j] >= 0 &&
          mlirShapedTypeIsDynamicDim(mlirValueGetType(mlirOperationGetOperand(l.op, j)),
                                     l.along[j]) != open)
        return 0;
  }
  return open ? INT64_MIN : extent;
}

/* What stands between the statements, and only computes, comes before all of them. */
static void gather(const TtRun *run) {
  MlirOperation first = run->statements.data[0], last = run->statements.data[run->statements.n - 1];
  for (MlirOperation s = first, next; !tt_op_eq(s, last); s = next) {
    next = tt_next(s);
    if (tt_only_computes(s)) mlirOperationMoveBefore(s, first);
  }
}

/* All ops of the run take such a part of them; that of a block is one value, which loops around
 * them all have. */
static void take(TtArena *arena, const TtRun *run, intptr_t d, MlirValue at, int64_t size,
                 MlirValue open) {
  TtOpLoop l;
  MlirValue parts[TT_MOST_BLOCKS];
  TtBuilder b = tt_builder_before(run->statements.data[0]);
  MlirLocation loc = mlirOperationGetLocation(run->ops.data[0]);
  for (intptr_t i = 0; i < run->n_blocks; ++i)
    parts[i] = tt_part_along(&b, loc, run->blocks[i], d, at, size, open);
  for (intptr_t i = 0; i < run->ops.n; ++i) {
    MlirOperation op = run->ops.data[i];
    intptr_t of[TT_MOST_OPERANDS];
    if (!loop_along(run, op, d, &l)) continue;
    for (intptr_t j = 0; j < l.n; ++j) of[j] = block_of(run, mlirOperationGetOperand(op, j));
    tt_take_steps(arena, &l, op, at, size, open);
    for (intptr_t j = 0; j < l.n; ++j)
      if (of[j] >= 0) mlirOperationSetOperand(op, j, parts[of[j]]);
  }
}

/* The run again, at `b`. */
static TtRun clone(TtArena *arena, const TtRun *run, TtBuilder *b) {
  TtRun copy = {.n_blocks = run->n_blocks};
  memcpy(copy.blocks, run->blocks, sizeof copy.blocks);
  for (intptr_t i = 0; i < run->statements.n; ++i) {
    MlirOperation s = tt_builder_insert(b, mlirOperationClone(run->statements.data[i]));
    tt_ops_add(arena, &copy.statements, s);
    TtOps in = tt_collect(arena, s, NULL);
    if (tt_is_linalg(s)) tt_ops_add(arena, &copy.ops, s);
    else
      for (intptr_t j = 0; j < in.n; ++j)
        if (tt_is_linalg(in.data[j])) tt_ops_add(arena, &copy.ops, in.data[j]);
  }
  return copy;
}

void tt_step_run(TtArena *arena, const TtRun *run, intptr_t d, int64_t size) {
  MlirValue none = {NULL};
  int64_t extent = tt_run_extent(run, d);
  gather(run);
  MlirOperation first = run->statements.data[0];
  MlirLocation loc = mlirOperationGetLocation(run->ops.data[0]);
  TtBuilder b = tt_builder_before(first);
  bool open = extent == INT64_MIN;
  int64_t whole = open ? 0 : extent / size * size;
  MlirValue end = open ? tt_dynamic_size(&b, loc, run->blocks[0], d) : tt_index(&b, loc, whole);
  MlirOperation loop = tt_for(&b, loc, tt_index(&b, loc, 0), end, tt_index(&b, loc, size), "from");
  if (!open && whole < extent) {
    TtBuilder after = tt_builder_after(loop);
    MlirValue at = tt_index(&after, loc, whole);
    TtRun rest = clone(arena, run, &after);
    take(arena, &rest, d, at, extent - whole, none);
  }
  MlirOperation yield = mlirBlockGetTerminator(tt_for_body(loop));
  b = tt_builder_at_terminator(tt_for_body(loop));
  MlirValue at = tt_for_iv(loop), left = none;
  if (open) left = tt_min(&b, loc, tt_sub(&b, loc, end, at), tt_index(&b, loc, size));
  for (intptr_t i = 0; i < run->statements.n; ++i)
    mlirOperationMoveBefore(run->statements.data[i], yield);
  take(arena, run, d, at, open ? INT64_MIN : size, left);
}
