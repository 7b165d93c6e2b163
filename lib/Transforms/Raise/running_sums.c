/*===- running_sums.c - how often a sum of a body is added to -----------------------------------===
 *
 *   linalg.generic {… iterator_types = ["parallel", "reduction"]}   of 8x40: 40 times, and as often
 *     ins(%x) outs(%y) { %s = arith.addi %out, %x  yield %s }       as the loops around it go round
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/running_sums.h"

#include "Analysis/kernel.h"

#include "mlir-c/Dialect/Linalg.h"

int64_t tt_steps_of(MlirOperation linalg, int64_t dim) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(linalg);
  if (mlirAttributeIsNull(maps)) return -1;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(maps); ++i) {
    MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    MlirType type = mlirValueGetType(mlirOperationGetOperand(linalg, i));
    if (!mlirTypeIsAShaped(type)) continue;
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d) {
      MlirAffineExpr e = mlirAffineMapGetResult(map, d);
      if (mlirAffineExprIsADim(e) && mlirAffineDimExprGetPosition(e) == dim &&
          !mlirShapedTypeIsDynamicDim(type, d))
        return mlirShapedTypeGetDimSize(type, d);
    }
  }
  return -1;
}

bool tt_rounds(MlirOperation op, MlirBlock top, int64_t *n) {
  MlirAttribute kinds = tt_op_attr(op, "iterator_types"), sum;
  *n = 1;
  if (mlirAttributeIsNull(kinds)) return false;
  sum = mlirAttributeParseGet(mlirOperationGetContext(op),
                              tt_str("#linalg.iterator_type<reduction>"));
  for (intptr_t d = 0; d < mlirArrayAttrGetNumElements(kinds); ++d) {
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(kinds, d), sum)) continue;
    int64_t steps = tt_steps_of(op, d);
    if (steps < 0 || __builtin_mul_overflow(*n, steps, n)) return false;
  }
  for (; !mlirBlockEqual(mlirOperationGetBlock(op), top); op = tt_parent(op)) {
    MlirOperation loop = tt_parent(op);
    int64_t bound[3], steps;
    if (mlirOperationIsNull(loop)) return false;
    if (tt_op_is(loop, "scf.if")) continue;
    if (!tt_op_is(loop, "scf.for")) return false;
    for (int i = 0; i < 3; ++i)
      if (!tt_constant(mlirOperationGetOperand(loop, i), &bound[i])) return false;
    steps = bound[2] > 0 && bound[1] > bound[0] ? (bound[1] - bound[0] - 1) / bound[2] + 1 : 0;
    if (__builtin_mul_overflow(*n, steps, n)) return false;
  }
  return true;
}

static MlirAttribute map_at(MlirOperation linalg, intptr_t operand) {
  return mlirArrayAttrGetElement(mlirLinalgGetIndexingMapsAttribute(linalg), operand);
}

bool tt_is_old(MlirOperation linalg, MlirValue value, intptr_t out) {
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(linalg)))
    return false;
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  return tt_value_eq(mlirOperationGetOperand(linalg, i), mlirOperationGetOperand(linalg, out)) &&
         mlirAttributeEqual(map_at(linalg, i), map_at(linalg, out));
}

MlirValue tt_without_casts(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  for (; tt_op_is(op, "arith.extsi") || tt_op_is(op, "arith.trunci") ||
         tt_op_is(op, "arith.extf") || tt_op_is(op, "arith.truncf");
       op = tt_defining_op(value))
    value = mlirOperationGetOperand(op, 0);
  return value;
}

bool tt_becomes(MlirOperation linalg, MlirValue given, MlirValue sum, intptr_t out) {
  given = tt_without_casts(given);
  MlirOperation choice = tt_defining_op(given);
  if (tt_value_eq(given, sum) || tt_is_old(linalg, given, out)) return true;
  for (int i = 1; i < 3 && tt_op_is(choice, "arith.select"); ++i) {
    MlirValue way = tt_without_casts(mlirOperationGetOperand(choice, i));
    if (!tt_value_eq(way, sum) && !tt_is_old(linalg, way, out)) return false;
  }
  return tt_op_is(choice, "arith.select");
}
