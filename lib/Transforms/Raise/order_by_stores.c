/*===- order_by_stores.c - loops in the order of what they store -------------------------------===
 *
 *   before  for %i { for %j {
 *             %x = …, at which place
 *             for %c { store (load %X[%c, %x]), %Y[%c, %i, %j] } } }
 *   after   for %c { for %i { for %j {
 *             %x = …
 *             store (load %X[%c, %x]), %Y[%c, %i, %j] } } }
 *
 * Channels inside of the loops over pixels, as where an image is sampled: each step of the outer
 * loop is then a matrix, among whose elements the ones that are asked for are chosen. What the
 * pixels have in common is computed again for each channel.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/order_by_stores.h"

#include "Analysis/index_expr.h"

/* The first index of `store` that follows `iv`; -1 where none does, or it is not known how. */
static intptr_t follows(TtArena *arena, MlirOperation store, MlirValue iv) {
  intptr_t first = -1;
  for (intptr_t d = mlirOperationGetNumOperands(store) - 3; d >= 0; --d) {
    int64_t factor;
    if (!tt_index_factor(arena, mlirOperationGetOperand(store, d + 2), iv, &factor)) return -1;
    if (factor != 0) first = d;
  }
  return first;
}

/* Whether no step of `top` needs what another one stores: nothing in it loads from there, and each
 * store is in `loop`, at an index that follows it. */
static bool is_independent(TtArena *arena, MlirOperation top, MlirOperation loop) {
  TtOps stores = tt_collect(arena, top, "memref.store"),
        loads = tt_collect(arena, top, "memref.load");
  for (intptr_t i = 0; i < stores.n; ++i) {
    MlirValue memref = mlirOperationGetOperand(stores.data[i], 1);
    if (!tt_op_eq(tt_parent(stores.data[i]), loop)) return false;
    for (intptr_t j = 0; j < loads.n; ++j)
      if (tt_value_eq(memref, mlirOperationGetOperand(loads.data[j], 0))) return false;
    for (intptr_t j = 0; j < i; ++j) /* one after the other, at one place */
      if (tt_value_eq(memref, mlirOperationGetOperand(stores.data[j], 1))) return false;
  }
  return stores.n > 0;
}

/* Whether `outer` holds numbers, elements that are loaded, and the loop `inner`. */
static bool holds_only(MlirOperation outer, MlirOperation inner) {
  if (!tt_op_is(outer, "scf.for") || mlirOperationGetNumResults(outer) > 0) return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(outer)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (!tt_op_eq(op, inner) && mlirOperationGetNumRegions(op) > 0) return false;
  return true;
}

/* The outermost loop that `loop` may go around, as all stores have its variable before that one's;
 * null where there is none. */
static MlirOperation outermost(TtArena *arena, MlirOperation loop) {
  MlirOperation top = {NULL}, inner = loop;
  TtOps stores = tt_collect(arena, loop, "memref.store");
  for (MlirOperation p = tt_parent(loop); holds_only(p, inner); inner = p, p = tt_parent(p)) {
    for (intptr_t i = 0; i < stores.n; ++i) {
      intptr_t own = follows(arena, stores.data[i], tt_for_iv(loop));
      if (own < 0 || own >= follows(arena, stores.data[i], tt_for_iv(p))) return top;
    }
    if (!is_independent(arena, p, loop)) return top;
    top = p;
  }
  return top;
}

bool tt_order_by_stores(TtArena *arena, MlirOperation load) {
  MlirOperation loop = tt_parent(load);
  int64_t bounds[3];
  MlirValue values[3];
  if (!tt_op_is(loop, "scf.for") || mlirOperationGetNumResults(loop) > 0) return false;
  for (intptr_t i = 0; i < 3; ++i)
    if (!tt_constant(mlirOperationGetOperand(loop, i), &bounds[i])) return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (mlirOperationGetNumRegions(op) > 0) return false;
  MlirOperation top = outermost(arena, loop);
  if (mlirOperationIsNull(top)) return false;
  TtBuilder b = tt_builder_before(top);
  MlirLocation loc = mlirOperationGetLocation(loop);
  for (intptr_t i = 0; i < 3; ++i) values[i] = tt_index(&b, loc, bounds[i]);
  MlirOperation made = tt_for(&b, loc, values[0], values[1], values[2], NULL);
  mlirOperationMoveBefore(top, mlirBlockGetTerminator(tt_for_body(made)));
  mlirValueReplaceAllUsesOfWith(tt_for_iv(loop), tt_for_iv(made));
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(loop));
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)), next; !tt_op_eq(op, end);
       op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, loop);
  }
  mlirOperationDestroy(loop);
  return true;
}
