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

#include "Passes/passes_decl.h"
#include "Transforms/Model/grids.h"

static const char *const number = "tt.join", *const parts = "tt.joined";

/* Whether an op gives tensors, views or numbers, and touches no element. */
static bool only_views(MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0 && mlirOperationGetNumRegions(op) == 0 &&
         !tt_op_is(op, "memref.load") && !tt_op_is(op, "func.call");
}

/* Of ops that are not known, all. */
static bool writes(MlirOperation op, intptr_t operand) {
  if (tt_is_linalg(op)) return operand >= tt_linalg_num_inputs(op);
  if (tt_op_is(op, "memref.copy")) return operand == 1;
  return !tt_op_is(op, "memref.load");
}

static bool is_buffer(MlirOperation op, intptr_t i) {
  return mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, i)));
}

/* Whether two values are parts of one buffer that have no element in common. */
static bool are_apart(MlirValue a, MlirValue b) {
  MlirOperation x = tt_defining_op(a), y = tt_defining_op(b);
  if (!tt_op_is(x, "memref.subview") || !tt_op_is(y, "memref.subview") ||
      !tt_value_eq(mlirOperationGetOperand(x, 0), mlirOperationGetOperand(y, 0)))
    return false;
  MlirAttribute from_x = tt_op_attr(x, "static_offsets"), from_y = tt_op_attr(y, "static_offsets"),
                size_x = tt_op_attr(x, "static_sizes"), size_y = tt_op_attr(y, "static_sizes"),
                step_x = tt_op_attr(x, "static_strides"), step_y = tt_op_attr(y, "static_strides");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(from_x); ++d) {
    int64_t i = mlirDenseI64ArrayGetElement(from_x, d), j = mlirDenseI64ArrayGetElement(from_y, d),
            n = mlirDenseI64ArrayGetElement(size_x, d), m = mlirDenseI64ArrayGetElement(size_y, d);
    if (i < 0 || j < 0 || n < 0 || m < 0 || mlirDenseI64ArrayGetElement(step_x, d) != 1 ||
        mlirDenseI64ArrayGetElement(step_y, d) != 1)
      continue; /* not known, or in steps */
    if (i + n <= j || j + m <= i) return true;
  }
  return false;
}

/* Whether one of two ops writes what the other reads or writes. */
static bool ops_meet(MlirOperation a, MlirOperation b) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(a); ++i) {
    if (!is_buffer(a, i)) continue;
    MlirValue x = mlirOperationGetOperand(a, i), root = tt_view_root(x);
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(b); ++j) {
      MlirValue y = mlirOperationGetOperand(b, j);
      if (is_buffer(b, j) && (writes(a, i) || writes(b, j)) && tt_value_eq(tt_view_root(y), root) &&
          !are_apart(x, y))
        return true;
    }
  }
  return false;
}

/* The same of two ops and all in them. */
static bool meet(TtArena *arena, MlirOperation a, MlirOperation b) {
  TtOps in_a = tt_collect(arena, a, NULL), in_b = tt_collect(arena, b, NULL);
  tt_ops_add(arena, &in_a, a);
  tt_ops_add(arena, &in_b, b);
  for (intptr_t i = 0; i < in_a.n; ++i)
    for (intptr_t j = 0; !only_views(in_a.data[i]) && j < in_b.n; ++j)
      if (!only_views(in_b.data[j]) && ops_meet(in_a.data[i], in_b.data[j])) return true;
  return false;
}

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
    bool movable = only_views(op) && !tt_op_is(op, "scf.forall");
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
    if (!only_views(op) && meet(arena, grid, op)) return false;
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
  if (!same_units(first, last) || meet(arena, first, last)) return none;
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
