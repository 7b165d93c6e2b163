/*===- atomics.c - memref.atomic_rmw, one step after the other --------------------------------===
 *
 *   scf.parallel (%i) { memref.atomic_rmw addi %x, %H[%k] }
 * = scf.for %i { store (load %H[%k]) + %x, %H[%k] }
 *
 * Cells of a grid have no atomic operations on each other's blocks, so that loops around one are
 * no grid. What takes the old value is refused; what combines in a way that no reduction has stays,
 * and is refused later.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/refused.h"
#include "Transforms/Raise/elements.h"

/* By arith::AtomicRMWKind. */
static const char *const combinations[] = {
    "arith.addf",     "arith.addi",    NULL,          NULL, /* and, assign */
    "arith.maximumf", "arith.maxnumf", "arith.maxsi", "arith.maxui",
    "arith.minimumf", "arith.minnumf", "arith.minsi", "arith.minui"};

static const char *combination_of(MlirOperation rmw) {
  int64_t kind = tt_int(tt_op_attr(rmw, "kind"));
  return kind < (int64_t)(sizeof combinations / sizeof *combinations) ? combinations[kind] : NULL;
}

static void expand(MlirOperation rmw, const char *name) {
  MlirLocation loc = mlirOperationGetLocation(rmw);
  TtBuilder b = tt_builder_before(rmw);
  MlirValue x = mlirOperationGetOperand(rmw, 0), memref = mlirOperationGetOperand(rmw, 1);
  TtOpState load = tt_op_state("memref.load", loc), sum = tt_op_state(name, loc),
            store = tt_op_state("memref.store", loc);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(rmw); ++i)
    tt_op_state_operand(&load, mlirOperationGetOperand(rmw, i));
  tt_op_state_result(&load, mlirValueGetType(x));
  tt_op_state_operand(&sum,
                      mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&load)), 0));
  tt_op_state_operand(&sum, x);
  tt_op_state_result(&sum, mlirValueGetType(x));
  tt_op_state_operand(&store,
                      mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&sum)), 0));
  tt_op_state_operand(&store, memref);
  for (intptr_t i = 2; i < mlirOperationGetNumOperands(rmw); ++i)
    tt_op_state_operand(&store, mlirOperationGetOperand(rmw, i));
  tt_builder_insert(&b, tt_op_state_finish(&store));
  mlirOperationDestroy(rmw);
}

bool tt_expand_atomics(TtArena *arena, MlirOperation kernel) {
  TtOps all = tt_collect(arena, kernel, "memref.atomic_rmw");
  for (intptr_t i = 0; i < all.n; ++i) {
    const char *name = combination_of(all.data[i]);
    if (!name) continue;
    if (tt_has_uses(mlirOperationGetResult(all.data[i], 0))) return tt_check_refused(all.data[i]);
    for (MlirOperation p = tt_parent(all.data[i]); !tt_op_eq(p, kernel); p = tt_parent(p))
      if (tt_op_is(p, "scf.parallel") || tt_op_is(p, "affine.parallel") ||
          tt_op_is(p, "scf.forall"))
        tt_set_attr(p, TT_IN_TURN, mlirUnitAttrGet(mlirOperationGetContext(p)));
    expand(all.data[i], name);
  }
  return true;
}
