/*===- fold_numbers.c - --tt-fold-numbers ----------------------------------------------------===
 *
 * Constant numbers that exporters keep in tensors, often of types that the device has not, go into
 * the bodies of the ops that take them. Assertions that hold for any input go, and those of bodies,
 * as about indices of rows, which a core does not check; tt.range says which indices there are.
 *
 *   before  cf.assert %true, "…"
 *           %n = linalg.fill ins(%c6_i64) outs(%e) -> tensor<i64>
 *           %f = linalg.generic ins(%n) { arith.sitofp } -> tensor<f32>
 *           %r = linalg.generic ins(%x, %f) { arith.minimumf }
 *   after   %f = arith.sitofp %c6_i64
 *           %r = linalg.generic ins(%x) { arith.minimumf %in, %f }
 *
 * Requires nothing.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

#include <string.h>

/*===- Numbers -----------------------------------------------------------------------------===*/

/* An op of numbers, which stands in the body of `generic` or before it. */
static bool is_arithmetic(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumResults(op) == 1 &&
         name.length > 6 &&
         (memcmp(name.data, "arith.", 6) == 0 || memcmp(name.data, "math.", 5) == 0);
}

/* Whether a number comes from constants alone. Chains are as long as one body. */
static bool is_constant(MlirValue value, int depth) {
  MlirOperation op = tt_defining_op(value);
  if (depth == 0 || mlirOperationIsNull(op) || !is_arithmetic(op) ||
      mlirTypeIsAShaped(mlirValueGetType(value)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_constant(mlirOperationGetOperand(op, i), depth - 1)) return false;
  return true;
}

enum { LONGEST_CHAIN = 8 };

/* What of a body is computed of constants stands before the op. */
static void hoist(MlirOperation generic) {
  MlirBlock body = tt_body(generic);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationIsNull(op);
       op = next) {
    next = tt_next(op);
    if (mlirOperationGetNumResults(op) == 1 &&
        is_constant(mlirOperationGetResult(op, 0), LONGEST_CHAIN))
      mlirOperationMoveBefore(op, generic);
  }
}

/* The constant that each element of `value` is, for an op at `user`; null where there is none. */
static MlirValue number_of(MlirValue value, MlirOperation user) {
  MlirOperation op = tt_defining_op(value);
  MlirValue none = {NULL}, number = none;
  if (tt_op_is(op, "arith.constant")) return tt_number_constant(op, user);
  if (tt_op_is(op, "linalg.fill")) number = mlirOperationGetOperand(op, 0);
  else if (tt_op_is(op, "linalg.generic") && mlirOperationGetNumResults(op) == 1)
    number = mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(op)), 0);
  return !tt_is_null_value(number) && is_constant(number, LONGEST_CHAIN) ? number : none;
}

static void fold_into(TtArena *arena, MlirOperation generic) {
  for (intptr_t i = tt_linalg_num_inputs(generic); i-- > 0;) {
    MlirValue input = mlirOperationGetOperand(generic, i);
    MlirType type = mlirValueGetType(input);
    if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) != 0) continue;
    MlirValue number = number_of(input, generic);
    if (tt_is_null_value(number)) continue;
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(tt_body(generic), i), number);
    tt_drop_input(arena, generic, i);
  }
  hoist(generic);
}

/*===- Assertions --------------------------------------------------------------------------===*/

static bool holds(MlirValue condition) {
  MlirOperation op = tt_defining_op(condition);
  int64_t a, b;
  if (tt_constant(condition, &a)) return a != 0;
  if (!tt_op_is(op, "arith.cmpi")) return false;
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  int64_t predicate = tt_int(tt_op_attr(op, "predicate"));
  bool same = tt_value_eq(x, y) || (tt_constant(x, &a) && tt_constant(y, &b) && a == b);
  enum { EQ = 0, SLE = 3, SGE = 5, ULE = 7, UGE = 9 };
  return same && (predicate == EQ || predicate == SLE || predicate == SGE || predicate == ULE ||
                  predicate == UGE);
}

static bool fold(TtArena *arena, MlirOperation func) {
  TtOps asserts = tt_collect(arena, func, "cf.assert");
  for (intptr_t i = 0; i < asserts.n; ++i)
    if (tt_is_linalg(tt_parent(asserts.data[i])) ||
        holds(mlirOperationGetOperand(asserts.data[i], 0)))
      mlirOperationDestroy(asserts.data[i]);
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) fold_into(arena, ops.data[i]);
  tt_erase_dead(func);
  return true;
}

bool tt_run_fold_numbers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, fold);
}
