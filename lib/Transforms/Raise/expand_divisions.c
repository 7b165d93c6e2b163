/*===- expand_divisions.c - the quotients and rests of a body ---------------------------------===
 *
 * Each becomes what the vector unit has (integer_division.c, integer_quotient.c). Where that is
 * long, more than one is computed apart, in a buffer of its own, and so is what is broadcast: an
 * integer goes through the FPU in bytes (Tile/integer_parts.c), once for all that is made of it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Analysis/made_of.h"
#include "Transforms/Raise/compute_apart.h"
#include "Transforms/Raise/integer_division.h"

#include "mlir-c/Dialect/Linalg.h"

static intptr_t count(MlirBlock body) {
  intptr_t n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = tt_next(op))
    ++n;
  return n;
}

static bool is_yielded_only(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return tt_op_is(mlirOpOperandGetOwner(use), "linalg.yield") &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/* Integers that are broadcast go through the FPU in bytes: once, for all that is made of them. */
static MlirOperation broadcast_apart(MlirOperation linalg) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(linalg);
  intptr_t n = tt_linalg_num_inputs(linalg);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue arg = mlirBlockGetArgument(tt_body(linalg), i);
    MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    if (!mlirTypeIsAInteger(mlirValueGetType(arg)) || mlirAffineMapIsPermutation(map) ||
        mlirOpOperandIsNull(mlirValueGetFirstUse(arg)))
      continue;
    MlirOperation op = tt_compute_apart(linalg, arg);
    if (!mlirOperationIsNull(op)) linalg = op;
  }
  return linalg;
}

/* Divisors of few bits that are constants are widened here, not by the core. */
static void widen_constants(TtArena *arena, MlirOperation linalg) {
  TtOps ops = tt_collect(arena, linalg, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    int64_t n;
    bool zeros = tt_op_is(op, "arith.extui");
    if ((!zeros && !tt_op_is(op, "arith.extsi")) ||
        !tt_constant(mlirOperationGetOperand(op, 0), &n))
      continue;
    MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0)),
             type = mlirValueGetType(mlirOperationGetResult(op, 0));
    if (!mlirTypeIsAInteger(from) || mlirIntegerTypeGetWidth(from) == 1 ||
        mlirIntegerTypeGetWidth(from) > 32)
      continue;
    if (zeros) n &= (INT64_C(1) << mlirIntegerTypeGetWidth(from)) - 1;
    TtBuilder b = tt_builder_before(op);
    TtOpState s = tt_op_state("arith.constant", mlirOperationGetLocation(op));
    tt_op_state_attr(&s, b.context, "value", mlirIntegerAttrGet(type, n));
    tt_op_state_result(&s, type);
    tt_replace(op, mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
  }
}

/* Makes quotients and rests what the vector unit has, the last one first: what one is divided by
 * may be a quotient, of which more is known than of what becomes of it. */
bool tt_expand_divisions(TtArena *arena, MlirOperation linalg) {
  enum { LONG = 20 };
  TtValues made = {NULL, 0, 0};
  bool any = false;
  tt_erase_dead(linalg);
  TtOps ops = tt_collect(arena, linalg, NULL);
  for (intptr_t i = ops.n; i-- > 0;) {
    if (!tt_division_of(ops.data[i])) continue;
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(ops.data[i], 0));
    intptr_t before = count(tt_body(linalg));
    if (mlirOpOperandIsNull(use)) continue;
    MlirOperation user = mlirOpOperandGetOwner(use);
    unsigned at = mlirOpOperandGetOperandNumber(use);
    if (!tt_expand_division(arena, linalg, ops.data[i])) continue;
    any = true;
    if (count(tt_body(linalg)) > before + LONG)
      tt_values_add(arena, &made, mlirOperationGetOperand(user, at));
  }
  if (any) widen_constants(arena, linalg);
  if (made.n > 0) linalg = broadcast_apart(linalg);
  for (intptr_t i = made.n; made.n > 1 && i-- > 0;) {
    if (is_yielded_only(made.data[i])) continue;
    MlirOperation op = tt_compute_apart(linalg, made.data[i]);
    if (!mlirOperationIsNull(op)) linalg = op;
  }
  return any;
}
