/*===- equal_dims.c - --tt-equal-dims --------------------------------------------------------===
 *
 * Has two open sizes that an op takes as one be equal. Upstream's lowering of TOSA asks of each
 * operand, as the program runs, whether its size is 1, and repeats it then:
 *
 *   before  %n = arith.maxui (tensor.dim %x, 0), (tensor.dim %y, 0)
 *           %is_one = arith.cmpi eq, (tensor.dim %x, 0), 1
 *           %a = scf.if %is_one { … %x repeated %n times … } else { yield %x }
 *           … the same of %y …
 *           linalg.generic ins(%a, %b) outs(tensor.empty(%n))
 *   after   linalg.generic ins(%x, %y) outs(tensor.empty(tensor.dim %x, 0))
 *
 * Sizes that are equal need no repetition, 1 included. That they are is then a condition of the
 * model, as it is of any op in linalg with two open sizes of one loop; the host program checks its
 * arguments by it.
 *
 * Requires linalg on tensors, as --tosa-to-linalg leaves it.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

/* The tensor that `choice` yields where no size of it is 1, if it asks for nothing else; else
 * null. */
static MlirValue taken_whole(MlirOperation choice) {
  MlirValue none = {NULL};
  if (mlirOperationGetNumResults(choice) != 1 ||
      !mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetResult(choice, 0))))
    return none;
  MlirBlock other = mlirRegionGetFirstBlock(mlirOperationGetRegion(choice, 1));
  if (mlirBlockIsNull(other)) return none;
  MlirOperation yield = mlirBlockGetFirstOperation(other);
  if (!tt_op_is(yield, "scf.yield")) return none;
  MlirValue whole = mlirOperationGetOperand(yield, 0);
  MlirOperation is_one = tt_defining_op(mlirOperationGetOperand(choice, 0));
  int64_t one;
  if (!tt_op_is(is_one, "arith.cmpi") || tt_int(tt_op_attr(is_one, "predicate")) != 0 ||
      !tt_constant(mlirOperationGetOperand(is_one, 1), &one) || one != 1)
    return none;
  MlirOperation size = tt_defining_op(mlirOperationGetOperand(is_one, 0));
  bool same =
      tt_op_is(size, "tensor.dim") && tt_value_eq(mlirOperationGetOperand(size, 0), whole) &&
      mlirTypeEqual(mlirValueGetType(whole), mlirValueGetType(mlirOperationGetResult(choice, 0)));
  return same ? whole : none;
}

/* Whether `op` repeats what it takes along a loop that its result alone has. */
static bool repeats(MlirOperation op) {
  if (!tt_op_is(op, "linalg.generic") || tt_linalg_num_inputs(op) != 1) return false;
  MlirAffineMap from = tt_indexing_map(op, 0), to = tt_indexing_map(op, 1);
  return mlirAffineMapGetNumResults(from) == mlirAffineMapGetNumResults(to) &&
         mlirAffineMapIsIdentity(to) && !mlirAffineMapIsIdentity(from);
}

/* The size that a larger one is, of those that are equal. */
static void settle_size(MlirValue size) {
  MlirOperation larger = tt_defining_op(size);
  while (tt_op_is(larger, "arith.maxui")) {
    MlirValue first = mlirOperationGetOperand(larger, 0);
    tt_replace(larger, first);
    larger = tt_defining_op(first);
  }
}

/* Sizes of the repeated tensor: the largest of those that the op takes as one. */
static void settle_sizes(TtArena *arena, MlirOperation choice) {
  TtOps empties = tt_collect(arena, choice, "tensor.empty");
  for (intptr_t i = 0; i < empties.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(empties.data[i]); ++j)
      settle_size(mlirOperationGetOperand(empties.data[i], j));
}

static bool equal_dims(TtArena *arena, MlirOperation func) {
  TtOps choices = tt_collect(arena, func, "scf.if");
  for (intptr_t i = 0; i < choices.n; ++i) {
    MlirOperation choice = choices.data[i];
    MlirValue whole = taken_whole(choice);
    TtOps repeated = tt_collect(arena, choice, "linalg.generic");
    if (tt_is_null_value(whole) || repeated.n != 1 || !repeats(repeated.data[0]) ||
        tt_collect(arena, choice, "scf.if").n > 0)
      continue;
    settle_sizes(arena, choice);
    tt_replace(choice, whole);
  }
  return true;
}

bool tt_run_equal_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, equal_dims);
}
