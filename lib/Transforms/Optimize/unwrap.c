/*===- unwrap.c - loops that have one step ------------------------------------------------------===
 *
 *   scf.for %i = %c0 to %c1 step %c1 { f(%i) if (%i != %c0) { g } }   =   f(%c0)
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/unwrap.h"

bool tt_is_later_step(MlirValue value, MlirOperation loop) {
  enum { NE = 1 }; /* of arith::CmpIPredicate */
  MlirOperation compare = tt_defining_op(value);
  int64_t from, lower;
  return tt_op_is(compare, "arith.cmpi") && tt_int(tt_op_attr(compare, "predicate")) == NE &&
         tt_value_eq(mlirOperationGetOperand(compare, 0), tt_for_iv(loop)) &&
         tt_constant(mlirOperationGetOperand(compare, 1), &from) &&
         tt_constant(mlirOperationGetOperand(loop, 0), &lower) && from == lower;
}

/* Whether an op is scf.if of what holds in all steps but the first. */
static bool is_of_later_steps(MlirOperation op, MlirOperation loop) {
  return tt_op_is(op, "scf.if") && mlirOperationGetNumResults(op) == 0 &&
         mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1))) &&
         tt_is_later_step(mlirOperationGetOperand(op, 0), loop);
}

static MlirWalkResult drop_later(MlirOperation op, void *loop) {
  if (is_of_later_steps(op, *(MlirOperation *)loop)) mlirOperationDestroy(op);
  return MlirWalkResultAdvance;
}

void tt_unwrap(MlirOperation loop) {
  mlirOperationWalk(loop, drop_later, &loop, MlirWalkPostOrder);
  MlirValue iv = tt_for_iv(loop);
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(iv))) {
    TtBuilder b = tt_builder_before(loop);
    mlirValueReplaceAllUsesOfWith(iv, tt_index(&b, mlirOperationGetLocation(loop), 0));
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)), next;
       !tt_is_terminator(op); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, loop);
  }
  mlirOperationDestroy(loop);
}
