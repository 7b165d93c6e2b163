/*===- name_contractions.c - --tt-name-contractions ----------------------------------------===
 *
 * Sums of products become linalg.contract, and generics that yield a number linalg.fill.
 *
 *   before  %0 = tensor.empty()  %1 = linalg.generic … ins(%zero : f32) outs(%0)
 *           %2 = linalg.generic {(m, k), (k, n) -> (m, n)} … outs(%1) { mulf, addf }
 *   after   %0 = tensor.empty()  %1 = linalg.fill ins(%zero) outs(%0)
 *           %2 = linalg.contract indexing_maps = … ins(%x, %w) outs(%1)
 *
 * Requires generalized ops on tensors.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

#include "mlir-c/Dialect/Linalg.h"

static MlirOperation named(MlirOperation op, const char *name, bool maps) {
  TtOpState s = tt_op_state(name, mlirOperationGetLocation(op));
  MlirContext context = mlirOperationGetContext(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    tt_op_state_operand(&s, mlirOperationGetOperand(op, i));
  tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (maps) tt_op_state_attr(&s, context, "indexing_maps", tt_op_attr(op, "indexing_maps"));
  int32_t segments[2] = {(int32_t)tt_linalg_num_inputs(op), 1};
  tt_op_state_attr(&s, context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation made = tt_op_state_finish(&s);
  mlirLinalgFillBuiltinNamedOpRegion(made);
  TtBuilder b = tt_builder_before(op);
  return tt_builder_insert(&b, made);
}

static void replace(MlirOperation op, MlirOperation with) {
  tt_replace(op, mlirOperationGetResult(with, 0));
}

/* A generic that fills its output with a number from outside. */
static bool is_fill(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || tt_linalg_num_inputs(op) != 1) return false;
  MlirBlock body = tt_body(op);
  MlirOperation yield = mlirBlockGetFirstOperation(body);
  return tt_op_is(yield, "linalg.yield") &&
         tt_value_eq(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(body, 0)) &&
         !mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, 0)));
}

/* Whether one operand has a parallel loop that the other has not. */
static bool has_own_loop(MlirOperation op, intptr_t operand) {
  MlirAffineMap own = tt_indexing_map(op, operand), other = tt_indexing_map(op, 1 - operand),
                out = tt_indexing_map(op, 2);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r) {
    int64_t loop = tt_map_loop(out, r);
    bool in_own = false, in_other = false;
    for (intptr_t i = 0; i < mlirAffineMapGetNumResults(own); ++i)
      in_own = in_own || tt_map_loop(own, i) == loop;
    for (intptr_t i = 0; i < mlirAffineMapGetNumResults(other); ++i)
      in_other = in_other || tt_map_loop(other, i) == loop;
    if (in_own && !in_other) return true;
  }
  return false;
}

/* Matrices, or a matrix and a vector: (m, k) x (k, n) in any order, with batches. */
static bool is_product(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || tt_linalg_num_inputs(op) != 2 ||
      !mlirLinalgIsAContractionOp(op))
    return false;
  for (intptr_t i = 0; i < 3; ++i)
    if (!mlirAffineMapIsProjectedPermutation(tt_indexing_map(op, i))) return false;
  return has_own_loop(op, 0) || has_own_loop(op, 1);
}

static bool name_ops(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (is_fill(ops.data[i])) replace(ops.data[i], named(ops.data[i], "linalg.fill", false));
    else if (is_product(ops.data[i]))
      replace(ops.data[i], named(ops.data[i], "linalg.contract", true));
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_name_contractions(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, name_ops);
}
