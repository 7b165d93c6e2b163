/*===- math_loop.c - loops that do nothing but compute -----------------------------------------===
 *
 *   for %l < 2 { matmul_tiles %a, %b, %i * 2 + %l, %j * 2 + %l, 0 }
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/math_loop.h"

#include "Dialect/op_info.h"

bool tt_is_math_loop(MlirOperation op) {
  if (!tt_op_is(op, "scf.for")) return false;
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(op)); !tt_is_terminator(in);
       in = tt_next(in)) {
    if (!tt_is_index_op(in) && tt_op_info(in)->does != TT_ACT_MATH && !tt_is_math_loop(in))
      return false;
  }
  return true;
}

bool tt_counts_one(MlirOperation op) {
  int64_t n;
  return tt_constant(mlirOperationGetOperand(op, 1), &n) && n == 1;
}
