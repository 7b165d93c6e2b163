/*===- users.c - what takes the results of a model's ops --------------------------------------===
 *
 * An op that goes with its users is a part of their kernel. Where others need its result as well,
 * it leaves that kernel beside the root's, as a second result, and they run later:
 *
 *       %s = add %x, %y          (of the group of %n, and it leaves)
 *       %n = norm of %s          (root)
 *       … product of %n …
 *       %t = add %s, %z          (of a later group)
 *
 * Kernels stand where their roots are; so that all who need a second result come after them, the
 * other ops of a group are moved to its root, and views to the first op that reads them.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/graph.h"

#include "Dialect/shapes.h"

static bool is_view(MlirOperation op) {
  return tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape");
}

/* The op of the graph that `user` is, in the block of `op`; or -1. What a loop does not change is
 * computed before it. */
static intptr_t row_of(const TtModelGraph *g, MlirOperation op, MlirOperation user) {
  if (mlirOperationGetNumResults(user) == 0 ||
      !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)))
    return -1;
  return tt_model_producer(g, mlirOperationGetResult(user, 0));
}

/* Whether all users of `value`, a view of a result of `op`, come after the root of group `to`. */
static bool come_after(const TtModelGraph *g, const TtModelOp *op, MlirValue value, intptr_t to) {
  MlirOperation root = g->ops[g->groups[to].root].op;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use),
                  at = tt_ancestor_in(mlirOperationGetBlock(op->op), user);
    intptr_t row = row_of(g, op->op, user);
    if (row >= 0) {
      if (g->ops[row].group < 0 || g->ops[row].group >= to) return false;
    } else if (is_view(user) && !mlirOperationIsNull(at) && tt_op_eq(at, user)) {
      if (!come_after(g, op, mlirOperationGetResult(user, 0), to)) return false;
    } else if (mlirOperationIsNull(at) || !tt_is_before(root, at)) return false;
  }
  return true;
}

/* Of elements, whose output held nothing: no sum that starts from what it held. */
static bool may_leave(const TtModelOp *op) {
  intptr_t out = tt_linalg_num_inputs(op->op);
  return op->kind == TT_MODEL_MAP && out > 0 &&
         tt_op_is(tt_defining_op(mlirOperationGetOperand(op->op, out)), "tensor.empty") &&
         !tt_has_uses(mlirBlockGetArgument(tt_body(op->op), out));
}

bool tt_model_leaves(const TtModelGraph *g, const TtModelOp *op, intptr_t to) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    intptr_t row = row_of(g, op->op, mlirOpOperandGetOwner(use));
    if (row < 0 || g->ops[row].group != to) return true;
  }
  return false;
}

/* Whether a product of group `to` needs the result of `op`: others that need it, too, mostly are
 * products as well, and would wait for that one. */
static bool feeds_product(const TtModelGraph *g, const TtModelOp *op, intptr_t to) {
  intptr_t first = op - g->ops;
  for (intptr_t i = first; i < g->n; ++i) g->ops[i].fed = i == first;
  for (intptr_t i = first + 1; i < g->n; ++i) {
    TtModelOp *user = &g->ops[i];
    if (user->group != to) continue;
    for (intptr_t j = 0; j < tt_linalg_num_inputs(user->op); ++j) {
      intptr_t from = tt_model_producer(g, mlirOperationGetOperand(user->op, j));
      user->fed = user->fed || (from >= first && g->ops[from].fed);
    }
    if (user->fed && user->kind == TT_MODEL_PRODUCT) return true;
  }
  return false;
}

bool tt_model_may_leave(const TtModelGraph *g, const TtModelOp *op, intptr_t to) {
  if (!may_leave(op) || feeds_product(g, op, to)) return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use),
                  at = tt_ancestor_in(mlirOperationGetBlock(op->op), user);
    intptr_t row = row_of(g, op->op, user);
    if (row >= 0) {
      if (g->ops[row].group < 0 || g->ops[row].group > to) return false;
    } else if (is_view(user) && !mlirOperationIsNull(at) && tt_op_eq(at, user)) {
      if (!come_after(g, op, mlirOperationGetResult(user, 0), to)) return false;
    } else if (mlirOperationIsNull(at) || !tt_is_before(g->ops[g->groups[to].root].op, at))
      return false;
  }
  return true;
}

intptr_t tt_model_group_of_users(const TtModelGraph *g, const TtModelOp *op) {
  intptr_t group = -1; /* groups count from the last to the first */
  if (mlirOperationGetNumResults(op->op) > 1) return group; /* ends its kernel */
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    intptr_t row = row_of(g, op->op, mlirOpOperandGetOwner(use));
    if (row >= 0 && g->ops[row].group > group) group = g->ops[row].group;
  }
  if (group < 0 || !tt_model_leaves(g, op, group)) return group;
  return !g->apart && tt_model_may_leave(g, op, group) ? group : -1;
}

/*===- Order -------------------------------------------------------------------------------===*/

/* Moves a view to the first of its users; where they are in another block it stays. */
static void sink_view(MlirOperation view) {
  MlirOperation first = {NULL};
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(view, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(view), mlirOpOperandGetOwner(use));
    if (mlirOperationIsNull(at)) return;
    if (mlirOperationIsNull(first) || tt_is_before(at, first)) first = at;
  }
  if (!mlirOperationIsNull(first)) mlirOperationMoveBefore(view, first);
}

void tt_model_order(TtArena *arena, const TtModelGraph *g) {
  bool any = false;
  for (intptr_t i = 0; i < g->n; ++i) any = any || g->ops[i].leaves;
  if (!any) return;
  MlirOperation *first = tt_arena_alloc(arena, (size_t)(g->num_groups + 1) * sizeof *first);
  for (intptr_t i = 0; i < g->num_groups; ++i) first[i] = g->ops[g->groups[i].root].op;
  for (intptr_t i = g->n; i-- > 0;) {
    const TtModelOp *op = &g->ops[i];
    if (i == g->groups[op->group].root) continue;
    mlirOperationMoveBefore(op->op, first[op->group]);
    first[op->group] = op->op;
  }
  TtOps all = tt_collect(arena, g->func, NULL);
  for (intptr_t i = all.n; i-- > 0;)
    if (is_view(all.data[i])) sink_view(all.data[i]);
}
