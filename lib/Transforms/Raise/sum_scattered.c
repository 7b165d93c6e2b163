/*===- sum_scattered.c - --tt-sum-scattered ----------------------------------------------------===
 *
 * A sum, or an extreme, at an index that a tensor's integer says, goes to all indices, with a term
 * that adds nothing where the index is another one:
 *
 *   before  for %i { %k = index_cast (load %L[%i])
 *             store (load %H[%k]) + %x, %H[%k] }
 *   after   for %i { %k = …   for %r = 0 to 16 {
 *             store (load %H[%r]) + (%r == %k ? %x : 0), %H[%r] } }
 *
 * memref.atomic_rmw has become such a sum, in loops that go on step by step (atomics.c).
 *
 * This takes what a sum over all pairs of steps and indices takes. Requires raised loops. Leaves
 * dimensions that are longer than LONGEST or dynamic, stores that are no sums, and indices that do
 * not change in the loops around: those are offsets (--tt-load-indices).
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/elements.h"

enum { LONGEST = 4096 };

/*===- What is scattered ---------------------------------------------------------------------===*/

/* Whether an index comes from an element that a loop around `op` loads. */
static bool is_loaded(TtArena *arena, MlirValue index) {
  TtValues all = tt_made_of(arena, index, NULL, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (!tt_op_is(op, "memref.load")) continue;
    for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p))
      if (tt_op_is(p, "scf.for")) return true;
  }
  return false;
}

/* Which indices of `store` are loaded; false where there is none, or one has no constant size. */
static bool find_loaded(TtArena *arena, MlirOperation store, bool *loaded) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(store, 1));
  intptr_t rank = mlirShapedTypeGetRank(type);
  bool any = false;
  for (intptr_t d = 0; d < rank && rank <= TT_MAX_RANK; ++d) {
    loaded[d] = is_loaded(arena, mlirOperationGetOperand(store, d + 2));
    any |= loaded[d];
    if (loaded[d] &&
        (mlirShapedTypeIsDynamicDim(type, d) || mlirShapedTypeGetDimSize(type, d) > LONGEST))
      return false;
  }
  return any;
}

/*===- Sums ----------------------------------------------------------------------------------===*/

static MlirValue equal(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  TtOpState s = tt_op_state("arith.cmpi", loc);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  tt_op_state_attr(&s, b->context, "predicate", tt_i64_attr(b->context, 0)); /* eq */
  tt_op_state_result(&s, mlirIntegerTypeGet(b->context, 1));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Whether %r is the index, compared as the integer of 32 bits that this was. */
static MlirValue is_at(TtBuilder *b, MlirLocation loc, MlirValue r, MlirValue index) {
  MlirOperation cast = tt_defining_op(index);
  if (tt_op_is(cast, "arith.index_cast")) {
    MlirValue integer = mlirOperationGetOperand(cast, 0);
    MlirType type = mlirValueGetType(integer);
    if (mlirIntegerTypeGetWidth(type) == 32)
      return equal(b, loc, tt_cast(b, loc, "arith.index_cast", r, type), integer);
  }
  return equal(b, loc, r, index);
}

static void sum_at_all(TtArena *arena, MlirOperation store, const TtTerm *term,
                       const bool *loaded) {
  MlirLocation loc = mlirOperationGetLocation(store);
  MlirValue memref = mlirOperationGetOperand(store, 1), at[TT_MAX_RANK], here = {NULL};
  MlirType type = mlirValueGetType(memref);
  intptr_t rank = mlirShapedTypeGetRank(type);
  TtBuilder b = tt_builder_before(store);
  for (intptr_t d = 0; d < rank; ++d) {
    at[d] = mlirOperationGetOperand(store, d + 2);
    if (!loaded[d]) continue;
    MlirValue zero = tt_index(&b, loc, 0), one = tt_index(&b, loc, 1),
              end = tt_index(&b, loc, mlirShapedTypeGetDimSize(type, d));
    MlirOperation loop = tt_for(&b, loc, zero, end, one, NULL);
    b = tt_builder_at_terminator(tt_for_body(loop));
    MlirValue is = is_at(&b, loc, tt_for_iv(loop), at[d]);
    here = tt_is_null_value(here) ? is : tt_and(&b, loc, here, is);
    at[d] = tt_for_iv(loop);
  }
  tt_store_term(arena, &b, store, term, here, at);
  mlirOperationDestroy(store);
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps stores = tt_collect(arena, kernel, "memref.store");
  bool changed = false;
  for (intptr_t i = 0; i < stores.n; ++i) {
    bool loaded[TT_MAX_RANK] = {false};
    TtTerm term;
    if (!find_loaded(arena, stores.data[i], loaded) || !tt_term_of(arena, stores.data[i], &term))
      continue;
    sum_at_all(arena, stores.data[i], &term, loaded);
    changed = true;
  }
  if (changed) tt_erase_dead(kernel);
  return true;
}

bool tt_run_sum_scattered(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
