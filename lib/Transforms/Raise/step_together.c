/*===- step_together.c - ops that go over one block together ------------------------------------===
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
 * what none of them writes.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/step_together.h"

#include "Dialect/shapes.h"
#include "Transforms/Raise/kept_views.h"
#include "Transforms/Raise/slices.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

/*===- Which ops ------------------------------------------------------------------------------===*/

/* Whether `op` computes a number, an index or a view, and nothing else. */
static bool only_computes(MlirOperation op) {
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
  if (mlirOperationIsNull(op) || !only_computes(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!tt_is_same_in(loop, mlirOperationGetOperand(op, i))) return false;
  return true;
}

/* Whether the op takes what the block held. */
static bool takes_old(MlirOperation op, intptr_t operand) {
  if (operand < tt_linalg_num_inputs(op)) return true;
  MlirBlock body = tt_body(op);
  return !mlirBlockIsNull(body) && operand < mlirBlockGetNumArguments(body) &&
         tt_has_uses(mlirBlockGetArgument(body, operand));
}

/* Whether it is a structured op on memrefs; a fill of one number has no loops. */
static bool is_known(MlirOperation op) {
  return tt_num_op_loops(op) > 0 || tt_op_is(op, "linalg.fill");
}

/* Whether a structured op writes the block, and nothing else, and reads no other part of its
 * tensor; adds it to the run. */
static bool add_op(TtArena *arena, MlirOperation op, TtRun *run) {
  intptr_t inputs = tt_linalg_num_inputs(op), n = mlirOperationGetNumOperands(op);
  MlirValue root = tt_view_root(run->block);
  bool old = false;
  if (!is_known(op) || inputs == n) return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool of_it = tt_value_eq(tt_view_root(operand), root);
    if (of_it ? !tt_same_view(arena, operand, run->block) : i >= inputs) return false;
    old |= of_it && takes_old(op, i);
  }
  run->reads_again |= old && (run->ops.n > 0 || run->in_loop);
  tt_ops_add(arena, &run->ops, op);
  return true;
}

/* Whether all of a statement writes the block alone, and adds what does so. */
static bool add_statement(TtArena *arena, MlirOperation op, TtRun *run) {
  if (only_computes(op) || tt_is_terminator(op)) return true;
  if (tt_is_linalg(op)) return add_op(arena, op, run);
  if (!tt_op_is(op, "scf.for") || mlirOperationGetNumResults(op) > 0) return false;
  bool ok = true, outer = run->in_loop;
  run->in_loop = true;
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(op));
       ok && !mlirOperationIsNull(in); in = tt_next(in))
    ok = add_statement(arena, in, run);
  for (intptr_t i = 0; ok && i < run->ops.n; ++i)
    for (intptr_t j = 0; ok && j < mlirOperationGetNumOperands(run->ops.data[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(run->ops.data[i], j);
      ok = !tt_value_eq(tt_view_root(operand), tt_view_root(run->block)) ||
           tt_is_same_in(op, operand);
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

bool tt_run_of(TtArena *arena, MlirOperation op, TtRun *run) {
  *run = (TtRun){.in_loop = false};
  if (!tt_is_linalg(op)) return false;
  intptr_t inputs = tt_linalg_num_inputs(op);
  if (!is_known(op) || inputs >= mlirOperationGetNumOperands(op)) return false;
  run->block = mlirOperationGetOperand(op, inputs);
  if (!tt_is_part_of_tensor(run->block)) return false;
  MlirOperation first = outermost(op, run->block);
  TtRun all = {.block = run->block};
  for (MlirOperation s = first; !mlirOperationIsNull(s) && !tt_is_terminator(s); s = tt_next(s)) {
    intptr_t n = all.ops.n;
    TtRun before = all;
    if (!add_statement(arena, s, &all)) {
      all = before;
      break;
    }
    if (all.ops.n > n) tt_ops_add(arena, &all.statements, s);
  }
  *run = all;
  return run->statements.n > 0 && !tt_is_defined_in(run->statements.data[0], run->block);
}

bool tt_next_run(TtArena *arena, TtOps ops, intptr_t *i, TtRun *run) {
  for (; *i < ops.n; ++*i) {
    if (!tt_run_of(arena, ops.data[*i], run)) continue;
    MlirOperation last = run->ops.data[run->ops.n - 1];
    while (!tt_op_eq(ops.data[*i], last)) ++*i;
    ++*i;
    return true;
  }
  return false;
}

/*===- Their loops ----------------------------------------------------------------------------===*/

/* The loop of an op of the run along dimension `d` of the block; false where another operand that
 * goes along it is no part of a tensor. */
static bool loop_along(const TtRun *run, MlirOperation op, intptr_t d, TtOpLoop *l) {
  intptr_t loops = tt_num_op_loops(op);
  MlirValue root = tt_view_root(run->block);
  bool found = false;
  for (intptr_t i = 0; i < loops && !found; ++i)
    found = tt_op_loop_of(op, i, l) && l->along[tt_linalg_num_inputs(op)] == d;
  for (intptr_t i = 0; found && i < l->n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool of_it = tt_value_eq(tt_view_root(operand), root);
    found = of_it ? l->along[i] == d : l->along[i] < 0 || tt_is_part_of_tensor(operand);
  }
  return found;
}

int64_t tt_run_extent(const TtRun *run, intptr_t d) {
  TtOpLoop l;
  if (d >= mlirShapedTypeGetRank(mlirValueGetType(run->block))) return 0;
  int64_t extent = mlirShapedTypeGetDimSize(mlirValueGetType(run->block), d);
  bool open = mlirShapedTypeIsDynamicDim(mlirValueGetType(run->block), d);
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
    if (only_computes(s)) mlirOperationMoveBefore(s, first);
  }
}

/* All ops of the run take such a part of it; that of the block is one value, which loops around
 * them all have. */
static void take(TtArena *arena, const TtRun *run, intptr_t d, MlirValue at, int64_t size,
                 MlirValue open) {
  TtOpLoop l;
  MlirValue root = tt_view_root(run->block), part;
  TtBuilder b = tt_builder_before(run->statements.data[0]);
  MlirLocation loc = mlirOperationGetLocation(run->ops.data[0]);
  part = tt_part_along(&b, loc, run->block, d, at, size, open);
  for (intptr_t i = 0; i < run->ops.n; ++i) {
    MlirOperation op = run->ops.data[i];
    if (!loop_along(run, op, d, &l)) continue;
    tt_take_steps(arena, &l, op, at, size, open);
    for (intptr_t j = 0; j < l.n; ++j)
      if (tt_value_eq(tt_view_root(mlirOperationGetOperand(op, j)), root))
        mlirOperationSetOperand(op, j, part);
  }
}

/* The run again, at `b`. */
static TtRun clone(TtArena *arena, const TtRun *run, TtBuilder *b) {
  TtRun copy = {.block = run->block};
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
  MlirValue end = open ? tt_dynamic_size(&b, loc, run->block, d) : tt_index(&b, loc, whole);
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
