/*===- members.c - finding one's way among the members of a tt.program ----------------------===*/

#include "Dialect/members.h"

MlirOperation tt_program_of(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tt_program_isa(op)) op = tt_parent(op);
  return op;
}

MlirOperation tt_program_cb(MlirOperation program, MlirStringRef name) {
  MlirOperation op = mlirBlockGetFirstOperation(tt_body(program));
  while (!mlirOperationIsNull(op) &&
         !(tt_circular_buffer_isa(op) && mlirStringRefEqual(tt_symbol_name(op), name)))
    op = tt_next(op);
  return op;
}

MlirOperation tt_program_core_args(MlirOperation program) {
  MlirOperation op = mlirBlockGetFirstOperation(tt_body(program));
  while (!mlirOperationIsNull(op) && !tt_core_args_isa(op)) op = tt_next(op);
  return op;
}

MlirOperation tt_core_set_of(MlirOperation program, MlirOperation member) {
  MlirStringRef name = tt_string(tt_op_attr(member, "cores"));
  MlirOperation op = mlirBlockGetFirstOperation(tt_body(program));
  while (!mlirOperationIsNull(op) &&
         !(tt_core_set_isa(op) && mlirStringRefEqual(tt_symbol_name(op), name)))
    op = tt_next(op);
  return op;
}
