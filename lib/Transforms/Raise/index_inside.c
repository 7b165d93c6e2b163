/*===- index_inside.c - an index that stays inside of its tensor -------------------------------===
 *
 *   %i in -1 to 40, of 32 elements  =  %l = arith.maxsi %i, %c0;  arith.minsi %l, %c31
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/index_inside.h"

static MlirValue limit(TtBuilder *b, MlirLocation loc, const char *name, MlirValue index,
                       int64_t by) {
  TtOpState s = tt_op_state(name, loc);
  tt_op_state_operand(&s, index);
  tt_op_state_operand(&s, tt_index(b, loc, by));
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_index_inside(TtBuilder *b, MlirLocation loc, MlirValue index, TtIndexRange range,
                          int64_t last) {
  if (range.least < 0) index = limit(b, loc, "arith.maxsi", index, 0);
  return range.most > last ? limit(b, loc, "arith.minsi", index, last) : index;
}
