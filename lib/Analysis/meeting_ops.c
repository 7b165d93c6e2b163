/*===- meeting_ops.c - whether two ops may change places ---------------------------------------===
 *
 *   linalg.fill outs(%a)    linalg.add ins(%x, %y) outs(%b)      do not meet
 *   linalg.fill outs(%a)    linalg.add ins(%a, %y) outs(%b)      meet: one writes what the other
 * reads
 *
 * Arguments of a function are different buffers.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/meeting_ops.h"

#include "Analysis/kernel.h"

bool tt_only_views(MlirOperation op) {
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

/* Whether one of two ops, without what is in them, writes what the other reads or writes. */
static bool meet(MlirOperation a, MlirOperation b) {
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

bool tt_ops_meet(TtArena *arena, MlirOperation a, MlirOperation b) {
  TtOps in_a = tt_collect(arena, a, NULL), in_b = tt_collect(arena, b, NULL);
  tt_ops_add(arena, &in_a, a);
  tt_ops_add(arena, &in_b, b);
  for (intptr_t i = 0; i < in_a.n; ++i)
    for (intptr_t j = 0; !tt_only_views(in_a.data[i]) && j < in_b.n; ++j)
      if (!tt_only_views(in_b.data[j]) && meet(in_a.data[i], in_b.data[j])) return true;
  return false;
}
