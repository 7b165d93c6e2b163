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
 * Requires generalized ops on tensors.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

static bool free_outputs(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
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
