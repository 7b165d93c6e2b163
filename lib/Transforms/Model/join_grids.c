/*===- join_grids.c - --tt-join-grids --------------------------------------------------------===
 *
 * Grids that the schedule gave one number, tt.join, are one grid: each unit does the work of one
 * after that of the other, and there is one kernel to launch.
 *
 *   before  scf.forall (%i, %j) in (4, 8) { … into %q } {tt.join = 1}
 *           scf.forall (%i, %j) in (4, 8) { … into %k } {tt.join = 1}
 *   after   scf.forall (%i, %j) in (4, 8) { … into %q   … into %k } {tt.joined = 2}
 *
 * Grids with other units, or of which one needs what the other gives, or what is done between,
 * stay as they are.
 *
 * Requires a bufferized model; leaves no tt.join.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/meeting_ops.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/grids.h"

static const char *const number = "tt.join", *const parts = "tt.joined";

static bool same_attr(MlirOperation a, MlirOperation b, const char *name) {
  MlirAttribute x = tt_op_attr(a, name), y = tt_op_attr(b, name);
  return mlirAttributeIsNull(x) ? mlirAttributeIsNull(y) : mlirAttributeEqual(x, y);
}

/* As many units, in the same order. */
static bool same_units(MlirOperation a, MlirOperation b) {
  intptr_t n = mlirOperationGetNumOperands(a);
  if (n != mlirOperationGetNumOperands(b) || mlirOperationGetNumResults(a) > 0 ||
      mlirOperationGetNumResults(b) > 0 ||
      mlirBlockGetNumArguments(tt_body(a)) != mlirBlockGetNumArguments(tt_body(b)))
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!tt_value_eq(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i))) return false;
  return same_attr(a, b, "staticLowerBound") && same_attr(a, b, "staticUpperBound") &&
         same_attr(a, b, "staticStep");
}

/* Puts tensors, views and numbers between the two before `first`, where what they need is. */
static void raise_values(MlirOperation first, MlirOperation last) {
  for (MlirOperation op = tt_next(first), next; !tt_op_eq(op, last); op = next) {
    next = tt_next(op);
    bool movable = tt_only_views(op) && !tt_op_is(op, "scf.forall");
    for (intptr_t i = 0; movable && i < mlirOperationGetNumOperands(op); ++i) {
      MlirOperation from = tt_defining_op(mlirOperationGetOperand(op, i));
      movable = mlirOperationIsNull(from) ||
                !mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(op)) ||
                tt_is_before(from, first);
    }
    if (movable) mlirOperationMoveBefore(op, first);
  }
}

/* Whether all that the ops in `grid` use stands before `first`, which is in its block. */
static bool has_values(TtArena *arena, MlirOperation grid, MlirOperation first) {
  TtOps ops = tt_collect(arena, grid, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(ops.data[i]); ++j) {
      MlirOperation from = tt_defining_op(mlirOperationGetOperand(ops.data[i], j));
      if (!mlirOperationIsNull(from) &&
          mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(grid)) &&
          !tt_is_before(from, first))
        return false;
    }
  return true;
}

/* Whether `grid` meets none of the ops between the two. */
static bool can_pass(TtArena *arena, MlirOperation grid, MlirOperation first, MlirOperation last) {
  for (MlirOperation op = tt_next(first); !tt_op_eq(op, last); op = tt_next(op))
    if (!tt_only_views(op) && tt_ops_meet(arena, grid, op)) return false;
  return true;
}

/* Moves what `from` does before `where`, in the units of `to`. */
static void move_body(TtArena *arena, MlirOperation from, MlirOperation to, MlirOperation where) {
  TtOps ops = {NULL, 0, 0};
  MlirOperation end = mlirBlockGetTerminator(tt_body(from));
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(from)); !tt_op_eq(op, end);
       op = tt_next(op))
    tt_ops_add(arena, &ops, op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(tt_body(from)); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(tt_body(from), i),
                                  mlirBlockGetArgument(tt_body(to), i));
  for (intptr_t i = 0; i < ops.n; ++i) mlirOperationMoveBefore(ops.data[i], where);
  mlirOperationDestroy(from);
}

static int64_t num_parts(MlirOperation grid) {
  MlirAttribute attr = tt_get_attr(grid, parts);
  return mlirAttributeIsNull(attr) ? 1 : mlirIntegerAttrGetValueInt(attr);
}

/* Makes the two one, where the first stands or where the second does; the one that is left, or
 * null. */
static MlirOperation join(TtArena *arena, MlirOperation first, MlirOperation last) {
  MlirOperation none = {NULL};
  if (!same_units(first, last) || tt_ops_meet(arena, first, last)) return none;
  raise_values(first, last);
  int64_t n = num_parts(first) + num_parts(last);
  MlirOperation left = first;
  if (has_values(arena, last, first) && can_pass(arena, last, first, last)) {
    move_body(arena, last, first, mlirBlockGetTerminator(tt_body(first)));
  } else if (can_pass(arena, first, first, last)) {
    left = last;
    move_body(arena, first, last, mlirBlockGetFirstOperation(tt_body(last)));
  } else return none;
  tt_set_attr(left, parts, tt_i64_attr(mlirOperationGetContext(left), n));
  return left;
}

static bool join_grids(TtArena *arena, MlirOperation func) {
  TtOps grids = tt_collect(arena, func, "scf.forall");
  for (intptr_t i = 0; i < grids.n; ++i) {
    if (mlirOperationIsNull(grids.data[i])) continue;
    MlirAttribute group = tt_get_attr(grids.data[i], number);
    for (intptr_t j = i + 1; !mlirAttributeIsNull(group) && j < grids.n; ++j) {
      MlirOperation a = grids.data[i], b = grids.data[j];
      if (mlirOperationIsNull(b) ||
          !mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b)))
        continue;
      MlirAttribute other = tt_get_attr(b, number);
      if (mlirAttributeIsNull(other) || !mlirAttributeEqual(group, other)) continue;
      MlirOperation left = join(arena, a, b);
      if (mlirOperationIsNull(left)) continue;
      grids.data[i] = left;
      grids.data[j] = (MlirOperation){NULL};
    }
    tt_remove_attr(grids.data[i], number);
  }
  return true;
}

bool tt_run_join_grids(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, join_grids);
}
