/*===- name_ops.c - --tt-name-ops ------------------------------------------------------------===
 *
 * Notes in the location of each op of a model what it is called, so that errors, names of kernels
 * and what is said of them speak of the model's own ops.
 *
 *   before  tosa.matmul … loc("m.mlir":3:5)
 *   after   tosa.matmul … loc("tosa.matmul"("m.mlir":3:5))
 *
 * Requires nothing.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/input_op.h"
#include "Transforms/Model/model.h"

static bool name_ops(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirLocation loc = mlirOperationGetLocation(ops.data[i]);
    if (tt_input_op(loc).length == 0)
      mlirOperationSetLocation(ops.data[i], tt_name_input_op(loc, tt_op_name(ops.data[i])));
  }
  return true;
}

bool tt_run_name_ops(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, name_ops);
}
