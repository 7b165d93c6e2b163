/*===- statements.c - what statements of a block touch ------------------------------------------===
 *
 *   linalg.exp ins(%a) outs(%e)           touches %a and %e, and writes %e
 *   for %k { linalg.add ins(%e, …) … }    depends on it, and stays behind it
 *
 * Memrefs are told apart by what they are views of.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/statements.h"

/* Whether the op touches elements of its operand `i`; `*writes`: whether it writes them. */
static bool touches(MlirOperation op, intptr_t i, bool *writes) {
  bool copy = tt_op_is(op, "memref.copy");
  *writes = copy                          ? i == 1
            : tt_is_linalg(op)            ? i >= tt_linalg_num_inputs(op)
            : tt_op_is(op, "memref.load") ? false
                                          : true; /* an op that nothing is known of */
  return !tt_op_is(op, "memref.subview") && !tt_op_is(op, "memref.dim") &&
         !tt_op_is(op, "memref.cast") &&
         tt_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i)));
}

TtOps tt_statement_ops(TtArena *arena, MlirOperation statement) {
  TtOps all = {NULL, 0, 0}, in = tt_collect(arena, statement, NULL);
  tt_ops_add(arena, &all, statement);
  for (intptr_t i = 0; i < in.n; ++i) tt_ops_add(arena, &all, in.data[i]);
  return all;
}

bool tt_any_touches(TtOps all, MlirValue root, bool only_writes) {
  bool writes;
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(all.data[i]); ++j)
      if (touches(all.data[i], j, &writes) && (writes || !only_writes) &&
          tt_value_eq(tt_view_root(mlirOperationGetOperand(all.data[i], j)), root))
        return true;
  return false;
}

/* Whether an op of `b` takes a value that the statement `a` gives. */
static bool takes_result(MlirOperation a, TtOps b) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(a); ++r)
    for (intptr_t i = 0; i < b.n; ++i)
      for (intptr_t j = 0; j < mlirOperationGetNumOperands(b.data[i]); ++j)
        if (tt_value_eq(mlirOperationGetOperand(b.data[i], j), mlirOperationGetResult(a, r)))
          return true;
  return false;
}

bool tt_depend(TtOps a, TtOps b) {
  bool writes;
  for (intptr_t i = 0; i < a.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(a.data[i]); ++j)
      if (touches(a.data[i], j, &writes) &&
          tt_any_touches(b, tt_view_root(mlirOperationGetOperand(a.data[i], j)), !writes))
        return true;
  return a.n > 0 && takes_result(a.data[0], b);
}
