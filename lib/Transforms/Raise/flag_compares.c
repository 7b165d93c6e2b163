/*===- flag_compares.c - comparisons of flags ---------------------------------------------------===
 *
 *   %r = arith.cmpi eq, %x, %y : i1       %d = arith.xori %x, %y    %r = arith.xori %d, true
 *   %r = arith.cmpi ult, %x, %y : i1      %n = arith.xori %x, true  %r = arith.andi %n, %y
 *
 * and so on: with a sign, a flag that is set is the lesser one.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/flag_compares.h"

/* What a comparison is: an op on x and y, of which one may be turned, and its result. */
static const struct {
  const char *op;
  bool not_x, not_y, not_result;
} forms[] = {
    {"arith.xori", false, false, true},  /* eq */
    {"arith.xori", false, false, false}, /* ne */
    {"arith.andi", false, true, false},  /* slt */
    {"arith.ori", false, true, false},   /* sle */
    {"arith.andi", true, false, false},  /* sgt */
    {"arith.ori", true, false, false},   /* sge */
    {"arith.andi", true, false, false},  /* ult */
    {"arith.ori", true, false, false},   /* ule */
    {"arith.andi", false, true, false},  /* ugt */
    {"arith.ori", false, true, false},   /* uge */
};

static MlirValue not_if(TtBuilder *b, MlirLocation loc, bool turned, MlirValue flag) {
  return turned ? tt_op_of_two(b, loc, "arith.xori", flag, tt_bool(b, loc, true)) : flag;
}

void tt_expand_flag_compares(TtArena *arena, MlirOperation kernel) {
  TtOps all = tt_collect(arena, kernel, "arith.cmpi");
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
    MlirType type = mlirValueGetType(x);
    if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 1) continue;
    int64_t form = tt_int(tt_op_attr(op, "predicate"));
    TtBuilder b = tt_builder_before(op);
    MlirLocation loc = mlirOperationGetLocation(op);
    MlirValue result = tt_op_of_two(&b, loc, forms[form].op, not_if(&b, loc, forms[form].not_x, x),
                                    not_if(&b, loc, forms[form].not_y, y));
    tt_replace(op, not_if(&b, loc, forms[form].not_result, result));
  }
}
