/*===- copy_results.c - --tt-copy-results ----------------------------------------------------===
 *
 * A result of a model is a tensor of its own. What is an argument as it came, a constant, or what
 * another result is, too, has nothing that computes it: a copy does.
 *
 *   before  return %x, %y, %y
 *   after   %0 = linalg.generic ins(%x) outs(%e) { yield }
 *           %1 = linalg.generic ins(%y) outs(%f) { yield }
 *           return %0, %y, %1
 *
 * Requires that nothing folds copies before kernels are planned.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

/* What a value has its elements from, through reshapes. */
static MlirValue origin(MlirValue value) {
  for (;;) {
    MlirOperation op = tt_defining_op(value);
    if (!tt_op_is(op, "tensor.cast") && !tt_op_is(op, "tensor.expand_shape") &&
        !tt_op_is(op, "tensor.collapse_shape"))
      return value;
    value = mlirOperationGetOperand(op, 0);
  }
}

/* What operand `i` of the return is to be a copy of; null where something computes it, and it
 * alone. The second copy of a tensor is one of the first: two of the same would be taken for one.
 */
static MlirValue to_copy(MlirOperation end, intptr_t i, const MlirValue *before) {
  MlirValue none = {NULL}, returned = mlirOperationGetOperand(end, i), value = before[i];
  if (!mlirTypeIsARankedTensor(mlirValueGetType(returned))) return none;
  for (intptr_t j = i; j-- > 0;) {
    MlirValue other = mlirOperationGetOperand(end, j);
    if (!tt_value_eq(before[j], value)) continue;
    bool alike = mlirTypeEqual(mlirValueGetType(other), mlirValueGetType(returned));
    return alike ? other : returned;
  }
  return mlirValueIsABlockArgument(value) || tt_op_is(tt_defining_op(value), "arith.constant")
             ? returned
             : none;
}

static bool copy_results(TtArena *arena, MlirOperation func) {
  MlirOperation end = mlirBlockGetTerminator(tt_body(func));
  MlirLocation loc = mlirOperationGetLocation(end);
  intptr_t n = mlirOperationGetNumOperands(end);
  MlirValue *before = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *before);
  for (intptr_t i = 0; i < n; ++i) before[i] = origin(mlirOperationGetOperand(end, i));
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue value = to_copy(end, i, before);
    if (tt_is_null_value(value)) continue;
    TtBuilder b = tt_builder_before(end);
    intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(value));
    MlirValue copy = tt_read_by(&b, loc, value, mlirAffineMapMultiDimIdentityGet(b.context, rank),
                                tt_empty_like(&b, loc, value));
    mlirOperationSetOperand(end, i, copy);
  }
  return true;
}

bool tt_run_copy_results(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, copy_results);
}
