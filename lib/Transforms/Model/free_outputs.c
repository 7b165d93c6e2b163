/*===- free_outputs.c - --tt-free-outputs ----------------------------------------------------===
 *
 * An op that does not look at what its output held before gets an output of its own that holds
 * nothing. Otherwise the output is one more tensor that the op needs, and often one that somebody
 * else still reads.
 *
 *   before  %r = linalg.generic ins(%x) outs(%y) { ^bb0(%a: f32, %old: f32): … yield … }
 *   after   %e = tensor.empty()
 *           %r = linalg.generic ins(%x) outs(%e) { ^bb0(%a: f32, %old: f32): … yield … }
 *
 * An op of a grid whose output holds nothing has it in the grid, so that it is no tensor that
 * other grids write as well. What several sums of a grid start from, each has for itself: one
 * tensor would be copied for all but the last of them. So has each sum a broadcast, as of a bias,
 * that several start from: as a tensor that all share it would be a kernel's result of its own.
 *
 * Grids that write tensors of one shape have one each, where L1 might hold it: else the first
 * result of a model that is no longer needed would be where others go, in DRAM with the result that
 * it ends as.
 *
 * Requires generalized ops on tensors.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/shapes.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

/* Of all L1 of the device, a tensor that shares the rest of it with others. */
enum { L1_PARTS = 16 };

static bool fits_l1(MlirOperation func, MlirType type) {
  TtTarget target = tt_target_of(func);
  if (!mlirShapedTypeHasStaticShape(type)) return false;
  int64_t all = (int64_t)(target.chip->l1_size - target.chip->l1_base) * target.grid_x *
                target.grid_y,
          bytes = tt_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type) && bytes <= all; ++d)
    bytes *= mlirShapedTypeGetDimSize(type, d);
  return bytes <= all / L1_PARTS;
}

/* What a grid writes to is its own. */
static void part_results(MlirOperation func, MlirOperation grid) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(grid); ++i) {
    MlirValue out = mlirOperationGetOperand(grid, i);
    MlirOperation empty = tt_defining_op(out);
    if (!tt_op_is(empty, "tensor.empty") || mlirOperationGetNumOperands(empty) > 0 ||
        mlirOpOperandIsNull(mlirOpOperandGetNextUse(mlirValueGetFirstUse(out))) ||
        !fits_l1(func, mlirValueGetType(out)))
      continue;
    TtBuilder b = tt_builder_before(grid);
    MlirOperation own = tt_builder_insert(&b, mlirOperationClone(empty));
    mlirOperationSetOperand(grid, i, mlirOperationGetResult(own, 0));
  }
}

/* Whether other ops of its grid take a result: else it is what the grid writes. */
static bool is_between(MlirOperation op) {
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (tt_is_linalg(mlirOpOperandGetOwner(use)) || tt_op_is(mlirOpOperandGetOwner(use), "scf.for"))
      return true;
  return false;
}

/* Empty outputs from outside of a grid become such of the grid. */
static void move_inside(TtArena *arena, MlirOperation grid) {
  TtOps ops = tt_collect(arena, grid, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_is_linalg(op) || mlirOperationGetNumResults(op) == 0 || !is_between(op)) continue;
    for (intptr_t j = tt_linalg_num_inputs(op); j < mlirOperationGetNumOperands(op); ++j) {
      MlirOperation empty = tt_defining_op(mlirOperationGetOperand(op, j));
      if (!tt_op_is(empty, "tensor.empty") ||
          !mlirOperationIsNull(tt_ancestor_in(tt_body(grid), empty)))
        continue;
      TtBuilder b = tt_builder_before(op);
      MlirOperation own = tt_builder_insert(&b, mlirOperationClone(empty));
      mlirOperationSetOperand(op, j, mlirOperationGetResult(own, 0));
    }
  }
}

/* A fill of a grid that several ops write to, or loops carry: a fill for each. */
static void part_fills(TtArena *arena, MlirOperation grid) {
  TtOps fills = tt_collect(arena, grid, "linalg.fill");
  for (intptr_t i = 0; i < fills.n; ++i) {
    MlirOperation fill = fills.data[i];
    if (mlirOperationGetNumResults(fill) != 1) continue;
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(fill, 0));
    while (!mlirOpOperandIsNull(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      intptr_t operand = mlirOpOperandGetOperandNumber(use);
      use = mlirOpOperandGetNextUse(use);
      bool starts = tt_op_is(user, "scf.for") ||
                    (tt_is_linalg(user) && operand >= tt_linalg_num_inputs(user));
      if (!starts || mlirOpOperandIsNull(use)) continue; /* the last one keeps it */
      TtBuilder b = tt_builder_before(fill);
      MlirValue own =
          tt_empty_like(&b, mlirOperationGetLocation(fill), mlirOperationGetOperand(fill, 1));
      MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(fill));
      mlirOperationSetOperand(copy, 1, own);
      mlirOperationSetOperand(user, operand, mlirOperationGetResult(copy, 0));
    }
  }
}

/* Whether all elements of the result are some of a smaller input. */
static bool is_broadcast(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || tt_linalg_num_inputs(op) != 1) return false;
  MlirBlock body = tt_body(op);
  MlirOperation yield = mlirBlockGetFirstOperation(body);
  return tt_op_is(yield, "linalg.yield") &&
         tt_value_eq(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(body, 0)) &&
         mlirAffineMapGetNumResults(tt_indexing_map(op, 0)) <
             mlirAffineMapGetNumResults(tt_indexing_map(op, 1));
}

/* Has each op that starts from a broadcast start from one of its own. */
static void part_broadcasts(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!is_broadcast(op)) continue;
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
    while (!mlirOpOperandIsNull(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      intptr_t operand = mlirOpOperandGetOperandNumber(use);
      use = mlirOpOperandGetNextUse(use);
      if (!tt_is_linalg(user) || operand < tt_linalg_num_inputs(user) || mlirOpOperandIsNull(use))
        continue;
      TtBuilder b = tt_builder_before(op);
      MlirOperation own = tt_builder_insert(&b, mlirOperationClone(op));
      mlirOperationSetOperand(user, operand, mlirOperationGetResult(own, 0));
    }
  }
}

static bool is_in_grid(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tt_op_is(op, "scf.forall")) op = tt_parent(op);
  return !mlirOperationIsNull(op);
}

static bool free_outputs(TtArena *arena, MlirOperation func) {
  TtOps grids = tt_collect(arena, func, "scf.forall");
  for (intptr_t i = 0; i < grids.n; ++i) {
    move_inside(arena, grids.data[i]);
    part_results(func, grids.data[i]);
    part_fills(arena, grids.data[i]);
  }
  if (grids.n == 0) part_broadcasts(arena, func);
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (is_in_grid(op)) continue; /* its output says where the result goes */
    TtBuilder b = tt_builder_before(op);
    for (intptr_t j = tt_linalg_num_inputs(op); j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue out = mlirOperationGetOperand(op, j);
      if (tt_has_uses(mlirBlockGetArgument(tt_body(op), j)) ||
          !mlirTypeIsARankedTensor(mlirValueGetType(out)) ||
          tt_op_is(tt_defining_op(out), "tensor.empty"))
        continue;
      mlirOperationSetOperand(op, j, tt_empty_like(&b, mlirOperationGetLocation(op), out));
    }
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_free_outputs(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, free_outputs);
}
