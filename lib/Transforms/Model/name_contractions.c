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

static bool is_of_integers(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirTypeIsAInteger(mlirShapedTypeGetElementType(type));
}

/* Whether a loop of `op` is in no map of its result. Where what is summed over has one element, as
 * an outer product's, no loop is left for it. */
static bool sums(MlirOperation op) {
  return mlirAffineMapGetNumResults(tt_indexing_map(op, 2)) <
         mlirAffineMapGetNumDims(tt_indexing_map(op, 2));
}

/* One that linalg.contract can say: each operand's dimensions are loops. Products of integers,
 * which kernels make products of floats (--tt-split-products), stay. */
static bool is_contraction(MlirOperation op) {
  if (!tt_is_product(op) || !sums(op) || is_of_integers(op)) return false;
  for (intptr_t i = 0; i < 3; ++i)
    if (!mlirAffineMapIsProjectedPermutation(tt_indexing_map(op, i))) return false;
  return true;
}

static bool name_ops(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (tt_fills(ops.data[i])) replace(ops.data[i], named(ops.data[i], "linalg.fill", false));
    else if (is_contraction(ops.data[i]))
      replace(ops.data[i], named(ops.data[i], "linalg.contract", true));
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_name_contractions(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, name_ops);
}
