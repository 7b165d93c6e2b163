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
    const TtOpInfo *info = tt_op_info(in);
    bool index = info->level == TT_LEVEL_OTHER && mlirOperationGetNumRegions(in) == 0;
    if (!index && info->does != TT_ACT_MATH && !tt_is_math_loop(in)) return false;
  }
  return true;
}
