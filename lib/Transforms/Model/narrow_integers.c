/*===- narrow_integers.c - --tt-narrow-integers -------------------------------------------------===
 *
 * Positions, counts and places that exporters compute in 64 bits are computed in the 32 that the
 * device has, where they fit: what a tensor of the model may hold is followed from what gives it
 * (tt.range of arguments, sizes, constants), through the whole model, which a kernel does not see.
 *
 *   before  %p = linalg.generic outs(%0 : tensor<64xi64>)
 *             { linalg.index 0  arith.index_cast : index to i64 }
 *           linalg.generic ins(%p, %q : …i64) { %d = arith.subi %a, %b : i64 … }
 *   after   linalg.generic ins(%p, %q : …i64)
 *             { %x = trunci %a  %y = trunci %b  %d = arith.subi %x, %y : i32  extsi %d … }
 *
 * So does a float that becomes an integer: a sum of 48 flags, as the place of a token among those
 * of its expert, becomes an i32 that is extended.
 *
 * Tensors stay of i64, of which 32 bits are stored. What is not proven to fit stays as it is;
 * --tt-expand-integers refuses it where a kernel does not know better.
 *
 * Requires generalized ops on tensors, after --tt-split-choices.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"
#include "Transforms/Raise/integer_bounds.h"

static bool is_wide(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
}

/* Ops whose result in 32 bits is that in 64, where operands and result fit. */
static bool is_arithmetic(MlirOperation op) {
  static const char *const names[] = {
      "arith.addi",       "arith.subi",      "arith.muli",   "arith.andi",
      "arith.ori",        "arith.xori",      "arith.maxsi",  "arith.minsi",
      "arith.divsi",      "arith.remsi",     "math.absi",    "arith.shrsi",
      "arith.floordivsi", "arith.ceildivsi", "arith.select", "arith.shli"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

static bool fits(MlirOperation linalg, MlirValue value) {
  TtBounds b;
  return tt_integer_bounds(linalg, value, &b) && b.lo >= INT32_MIN && b.hi <= INT32_MAX;
}

static MlirValue cast(TtBuilder *b, MlirLocation loc, const char *name, MlirValue from,
                      MlirType to) {
  TtOpState s = tt_op_state(name, loc);
  tt_op_state_operand(&s, from);
  tt_op_state_result(&s, to);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* `value`, which fits, in 32 bits: what it was extended from, where it was. */
static MlirValue narrow(TtBuilder *b, MlirLocation loc, MlirValue value) {
  MlirType i32 = mlirIntegerTypeGet(b->context, 32);
  MlirOperation op = tt_defining_op(value);
  int64_t constant;
  if (tt_constant(value, &constant)) {
    TtOpState s = tt_op_state("arith.constant", loc);
    tt_op_state_attr(&s, b->context, "value", mlirIntegerAttrGet(i32, constant));
    tt_op_state_result(&s, i32);
    return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
  }
  bool extends = tt_op_is(op, "arith.extsi") || tt_op_is(op, "arith.extui");
  if (!extends && !tt_op_is(op, "arith.index_cast"))
    return cast(b, loc, "arith.trunci", value, i32);
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(from);
  if (extends && mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32) return from;
  if (extends && mlirIntegerTypeGetWidth(type) > 32)
    return cast(b, loc, "arith.trunci", value, i32);
  char name[32];
  MlirStringRef of = tt_op_name(op);
  snprintf(name, sizeof name, "%.*s", (int)of.length, of.data);
  return cast(b, loc, name, from, i32);
}

/* A float becomes an integer of 32 bits, where what gives its tensor says that these hold it. */
static void narrow_float(MlirOperation linalg, MlirOperation op) {
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirType wide = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!is_wide(wide) || !tt_float_fits_32_bits(linalg, from)) return;
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  MlirValue made = cast(&b, loc, "arith.fptosi", from, mlirIntegerTypeGet(b.context, 32));
  tt_replace(op, cast(&b, loc, "arith.extsi", made, wide));
}

static void narrow_op(MlirOperation linalg, MlirOperation op) {
  if (tt_op_is(op, "arith.fptosi") || tt_op_is(op, "arith.fptoui")) return narrow_float(linalg, op);
  if (!is_arithmetic(op) || !is_wide(mlirValueGetType(mlirOperationGetResult(op, 0)))) return;
  bool chooses = tt_op_is(op, "arith.select");
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n > 3 || !fits(linalg, mlirOperationGetResult(op, 0))) return;
  for (intptr_t i = chooses; i < n; ++i)
    if (!fits(linalg, mlirOperationGetOperand(op, i))) return;
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  TtOpState s = mlirOperationStateGet(tt_op_name(op), loc);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (i >= chooses) operand = narrow(&b, loc, operand);
    tt_op_state_operand(&s, operand);
  }
  tt_op_state_result(&s, mlirIntegerTypeGet(b.context, 32));
  MlirValue made = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
  MlirType wide = mlirValueGetType(mlirOperationGetResult(op, 0));
  tt_replace(op, cast(&b, loc, "arith.extsi", made, wide));
}

/* Where the body yields an index of 64 bits, it yields one of 32. */
static void narrow_yield(MlirOperation linalg, MlirOperation yield) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    MlirOperation op = tt_defining_op(value);
    if (!is_wide(mlirValueGetType(value)) || !tt_op_is(op, "arith.index_cast") ||
        !fits(linalg, value))
      continue;
    TtBuilder b = tt_builder_before(yield);
    MlirLocation loc = mlirOperationGetLocation(op);
    MlirValue made = narrow(&b, loc, value);
    mlirOperationSetOperand(yield, i, cast(&b, loc, "arith.extsi", made, mlirValueGetType(value)));
  }
}

static bool narrow_model(TtArena *arena, MlirOperation func) {
  TtOps all = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation next, linalg = all.data[i];
    for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(linalg)); !mlirOperationIsNull(op);
         op = next) {
      next = tt_next(op);
      if (tt_op_is(op, "linalg.yield")) narrow_yield(linalg, op);
      else if (mlirOperationGetNumResults(op) == 1) narrow_op(linalg, op);
    }
    tt_erase_dead(linalg);
  }
  return true;
}

bool tt_run_narrow_integers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, narrow_model);
}
