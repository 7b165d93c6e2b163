/*===- loop_dims.c - loops, and dimensions of parallel ones ------------------------------------===
 *
 *   scf.for %i = 0 to 64        affine.parallel (%i, %j) = (0, 0) to (64, 32)
 *
 * are one and two dimensions; what takes loops apart sees all of them alike.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/loop_dims.h"

#include "Analysis/index_expr.h"

#include "mlir-c/AffineExpr.h"

void tt_set_extent(const TtLoopDim *loop, int64_t n) {
  MlirOperation op = loop->op;
  MlirContext context = mlirOperationGetContext(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  intptr_t dims = mlirBlockGetNumArguments(loop->body);
  if (tt_op_is(op, "scf.for")) {
    mlirOperationSetOperand(op, 1, tt_index(&b, loc, n));
  } else if (tt_op_is(op, "scf.parallel")) {
    mlirOperationSetOperand(op, dims + loop->dim, tt_index(&b, loc, n));
  } else if (tt_op_is(op, "affine.parallel")) {
    MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "upperBoundsMap"));
    MlirAffineExpr results[TT_MAX_RANK];
    for (intptr_t d = 0; d < dims; ++d)
      results[d] =
          d == loop->dim ? mlirAffineConstantExprGet(context, n) : mlirAffineMapGetResult(map, d);
    mlirOperationSetInherentAttributeByName(
        op, tt_str("upperBoundsMap"),
        mlirAffineMapAttrGet(mlirAffineMapGet(context, mlirAffineMapGetNumDims(map),
                                              mlirAffineMapGetNumSymbols(map), dims, results)));
  } else {
    int64_t upper[TT_MAX_RANK];
    for (intptr_t d = 0; d < dims; ++d)
      upper[d] =
          d == loop->dim ? n : mlirDenseI64ArrayGetElement(tt_op_attr(op, "staticUpperBound"), d);
    mlirOperationSetInherentAttributeByName(op, tt_str("staticUpperBound"),
                                            mlirDenseI64ArrayGet(context, dims, upper));
  }
}

intptr_t tt_num_loop_dims(MlirOperation op) {
  static const char *const names[] = {"scf.for", "scf.parallel", "affine.parallel", "scf.forall"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i]))
      return tt_op_is(op, "scf.for") ? 1 : mlirBlockGetNumArguments(tt_body(op));
  return 0;
}

bool tt_loop_dim(MlirOperation op, intptr_t d, TtLoopDim *loop) {
  int64_t lower = -1, step = -1;
  MlirBlock body = tt_body(op);
  intptr_t dims = mlirBlockGetNumArguments(body);
  *loop = (TtLoopDim){op, d, body, mlirBlockGetArgument(body, d), -1};
  if (tt_op_is(op, "scf.for")) {
    return d == 0 && tt_constant(mlirOperationGetOperand(op, 0), &lower) && lower == 0 &&
           tt_constant(mlirOperationGetOperand(op, 2), &step) && step == 1 &&
           tt_constant(mlirOperationGetOperand(op, 1), &loop->extent);
  }
  if (tt_op_is(op, "scf.parallel"))
    return tt_constant(mlirOperationGetOperand(op, d), &lower) && lower == 0 &&
           tt_constant(mlirOperationGetOperand(op, dims + d), &loop->extent) &&
           tt_constant(mlirOperationGetOperand(op, 2 * dims + d), &step) && step == 1;
  if (tt_op_is(op, "affine.parallel")) {
    MlirAffineMap lower_map = mlirAffineMapAttrGetValue(tt_op_attr(op, "lowerBoundsMap")),
                  upper_map = mlirAffineMapAttrGetValue(tt_op_attr(op, "upperBoundsMap"));
    if (mlirAffineMapGetNumResults(lower_map) != dims ||
        mlirAffineMapGetNumResults(upper_map) != dims)
      return false;
    MlirAffineExpr from = mlirAffineMapGetResult(lower_map, d),
                   to = mlirAffineMapGetResult(upper_map, d);
    if (!mlirAffineExprIsAConstant(from) || mlirAffineConstantExprGetValue(from) != 0 ||
        !mlirAffineExprIsAConstant(to))
      return false;
    loop->extent = mlirAffineConstantExprGetValue(to);
    return tt_int(mlirArrayAttrGetElement(tt_op_attr(op, "steps"), d)) == 1;
  }
  loop->extent = mlirDenseI64ArrayGetElement(tt_op_attr(op, "staticUpperBound"), d);
  return loop->extent > 0 &&
         mlirDenseI64ArrayGetElement(tt_op_attr(op, "staticLowerBound"), d) == 0 &&
         mlirDenseI64ArrayGetElement(tt_op_attr(op, "staticStep"), d) == 1;
}
