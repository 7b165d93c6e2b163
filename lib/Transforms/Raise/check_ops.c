/*===- check_ops.c - ops that write what they read at another place -----------------------------===
 *
 * A part of --tt-check-elements: an op on blocks has no order, and reads all of a block before it
 * writes, where a loop over elements would find some of them written.
 *
 *   linalg.generic x[j, i] + a[i, j] -> x[i, j]       x[1, 0] is read, and written: an error
 *   linalg.generic x[i, j] + a[i, j] -> x[i, j]       in place
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/check_ops.h"

#include "Analysis/kernel.h"

#include <mlir-c/Dialect/Linalg.h>

/* Whether two operands of one shape are taken at the same places; a dimension of size 1 has one. */
static bool are_same_places(MlirAffineMap a, MlirAffineMap b, MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (mlirAffineMapGetNumResults(a) != rank || mlirAffineMapGetNumResults(b) != rank) return true;
  for (intptr_t d = 0; d < rank; ++d) {
    bool one = !mlirShapedTypeIsDynamicDim(type, d) && mlirShapedTypeGetDimSize(type, d) == 1;
    if (!one && !mlirAffineExprEqual(mlirAffineMapGetResult(a, d), mlirAffineMapGetResult(b, d)))
      return false;
  }
  return true;
}

bool tt_takes_operand(MlirOperation op, intptr_t i) {
  MlirBlock body = tt_body(op);
  return mlirBlockIsNull(body) || i >= mlirBlockGetNumArguments(body) ||
         tt_has_uses(mlirBlockGetArgument(body, i));
}

static bool check_pair(MlirOperation op, MlirAttribute maps, intptr_t in, intptr_t out) {
  MlirValue value = mlirOperationGetOperand(op, in);
  if (in == out || !tt_takes_operand(op, in) ||
      !tt_value_eq(value, mlirOperationGetOperand(op, out)) ||
      !tt_is_memref(mlirValueGetType(value)))
    return true;
  return are_same_places(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, in)),
                         mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, out)),
                         mlirValueGetType(value)) ||
         tt_error(op,
                  "reads the buffer that it writes at other places than it writes, so that what it "
                  "reads depends on the order of its elements, which has none; copy what it reads "
                  "to a buffer of its own before");
}

bool tt_check_op(MlirOperation linalg) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(linalg);
  intptr_t n = mlirOperationGetNumOperands(linalg), inputs = tt_linalg_num_inputs(linalg);
  if (mlirAttributeIsNull(maps) || mlirArrayAttrGetNumElements(maps) != n) return true;
  for (intptr_t out = inputs; out < n; ++out)
    for (intptr_t in = 0; in < n; ++in)
      if (!check_pair(linalg, maps, in, out)) return false;
  return true;
}
