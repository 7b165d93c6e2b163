/*===- sink_buffers.c - --tt-sink-buffers ----------------------------------------------------===
 *
 * A tensor that one grid alone works on, all of it in each cell, is a buffer of each core.
 *
 *   before  %t = memref.alloc()   scf.forall … { linalg.exp … outs(%t)   linalg.abs ins(%t) … }
 *   after   scf.forall … { %t = memref.alloc()   linalg.exp … outs(%t)   linalg.abs ins(%t) … }
 *
 * Requires a bufferized model. Tensors of which cells have parts stay.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/grids.h"

/* The grid of the host's around `op`, or null. */
static MlirOperation grid_around(MlirOperation op) {
  MlirOperation grid = {NULL};
  for (MlirOperation p = op; !mlirOperationIsNull(p); p = tt_parent(p))
    if (tt_op_is(p, "scf.forall")) grid = p;
  return grid;
}

/* The one grid whose linalg ops are all users of `buffer`, the first of which writes it; or null.
 */
static MlirOperation only_grid(MlirValue buffer) {
  MlirOperation grid = {NULL}, none = {NULL}, first = {NULL};
  intptr_t operand = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), around = grid_around(user);
    if (!tt_is_linalg(user) || mlirOperationIsNull(around)) return none;
    if (!mlirOperationIsNull(grid) && !tt_op_eq(grid, around)) return none;
    grid = around;
    if (!tt_op_eq(tt_parent(user), grid)) return none;
    if (!mlirOperationIsNull(first) && !tt_op_eq(first, user) && tt_is_before(first, user))
      continue;
    intptr_t at = mlirOpOperandGetOperandNumber(use);
    bool same = !mlirOperationIsNull(first) && tt_op_eq(first, user);
    if (!same || at < operand) operand = at; /* its first one of the first op */
    first = user;
  }
  return !mlirOperationIsNull(first) && operand >= tt_linalg_num_inputs(first) ? grid : none;
}

static bool sink(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_host_ops(arena, func);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_op_is(op, "memref.alloc") || mlirOperationGetNumOperands(op) > 0) continue;
    MlirOperation grid = only_grid(mlirOperationGetResult(op, 0));
    if (!mlirOperationIsNull(grid))
      mlirOperationMoveBefore(op, mlirBlockGetFirstOperation(tt_body(grid)));
  }
  return true;
}

bool tt_run_sink_buffers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, sink);
}
