/*===- unwrap.c - loops that have one step ------------------------------------------------------===
 *
 *   scf.for %i = %c0 to %c1 step %c1 { f(%i) }   =   f(%c0)
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/unwrap.h"

void tt_unwrap(MlirOperation loop) {
  TtBuilder b = tt_builder_before(loop);
  MlirValue zero = tt_index(&b, mlirOperationGetLocation(loop), 0);
  mlirValueReplaceAllUsesOfWith(tt_for_iv(loop), zero);
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)), next;
       !tt_is_terminator(op); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, loop);
  }
  mlirOperationDestroy(loop);
}
