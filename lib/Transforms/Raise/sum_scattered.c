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
 * memref.atomic_rmw has become such a sum, in loops that go on step by step (atomics.c). A plain
 * store at an index that the core computes, as the rank of an element among others, or to what the
 * kernel loads from as well, goes to all indices, too, and leaves the others as they are:
 *
 *   before  for %i { %k = for … iter_args(%n) …      store %x, %Y[%k] }
 *   after   for %i { %k = …   for %r = 0 to 16 { store (%r == %k ? %x : load %Y[%r]), %Y[%r] } }
 *
 * So does one whose value is made of what another tensor has in a row at that index, of which all
 * are taken then: %Y[%i, %k] = f(%X[%i, %k]) becomes %Y[%i, %r] = %r == %k ? f(%X[%i, %r]) : %Y[%i,
 * %r].
 *
 * This takes what a sum over all pairs of steps and indices takes. Requires raised loops. Leaves
 * dimensions that are longer than LONGEST or dynamic, other stores at indices that tensors say, and
 * indices that do not change in the loops around: those are offsets (--tt-load-indices).
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/elements.h"

#include <string.h>

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

/* Whether something in the kernel stores to `memref`, or loads from it. */
static bool is_used_by(const char *name, MlirValue memref) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memref); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, name) && mlirOpOperandGetOperandNumber(use) == tt_op_is(op, "memref.store"))
      return true;
  }
  return false;
}

/* Whether the core computes an index: a loop gives it, a float, a comparison of floats, or what the
 * kernel has stored before. */
static bool is_computed(TtArena *arena, MlirValue index) {
  TtValues all = tt_made_of(arena, index, NULL, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (mlirOperationIsNull(op) && mlirTypeIsAInteger(mlirValueGetType(all.data[i])) &&
        tt_op_is(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(all.data[i])), "scf.for"))
      return true; /* a loop carries it on */
    if (tt_op_is(op, "arith.fptosi") || tt_op_is(op, "arith.fptoui") ||
        tt_op_is(op, "arith.cmpf") ||
        (tt_op_is(op, "memref.load") &&
         is_used_by("memref.store", mlirOperationGetOperand(op, 0))) ||
        (tt_op_is(op, "scf.for") && !mlirTypeIsAIndex(mlirValueGetType(all.data[i]))))
      return true;
  }
  return false;
}

/* Which indices of `store` are as `is` says; false where there is none, or one has no constant
 * size. */
static bool find_indices(TtArena *arena, MlirOperation store, bool *loaded,
                         bool (*is)(TtArena *, MlirValue)) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(store, 1));
  intptr_t rank = mlirShapedTypeGetRank(type);
  bool any = false;
  for (intptr_t d = 0; d < rank && rank <= TT_MAX_RANK; ++d) {
    loaded[d] = is(arena, mlirOperationGetOperand(store, d + 2));
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

/* An index as the integer of 32 bits that it was, or a sum of such; null where it is none. */
static MlirValue as_integer(TtBuilder *b, MlirLocation loc, MlirValue index, int depth) {
  MlirOperation op = tt_defining_op(index);
  MlirValue none = {NULL};
  MlirType i32 = mlirIntegerTypeGet(b->context, 32);
  int64_t constant;
  if (tt_constant(index, &constant) || mlirOperationIsNull(op))
    return tt_cast(b, loc, "arith.index_cast", index, i32);
  if (tt_op_is(op, "arith.index_cast")) {
    MlirValue integer = mlirOperationGetOperand(op, 0);
    return mlirTypeEqual(mlirValueGetType(integer), i32) ? integer : none;
  }
  bool sum = tt_op_is(op, "arith.addi") || tt_op_is(op, "arith.subi");
  if (!sum || depth == 0) return none;
  MlirValue x = as_integer(b, loc, mlirOperationGetOperand(op, 0), depth - 1);
  if (tt_is_null_value(x)) return none;
  MlirValue y = as_integer(b, loc, mlirOperationGetOperand(op, 1), depth - 1);
  if (tt_is_null_value(y)) return none;
  TtOpState s = tt_op_state(tt_op_is(op, "arith.addi") ? "arith.addi" : "arith.subi", loc);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  tt_op_state_result(&s, i32);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Whether %r is the index, compared as the integer of 32 bits that this was. */
static MlirValue is_at(TtBuilder *b, MlirLocation loc, MlirValue r, MlirValue index) {
  enum { DEPTH = 4 };
  MlirValue integer = as_integer(b, loc, index, DEPTH);
  if (tt_is_null_value(integer)) return equal(b, loc, r, index);
  return equal(b, loc, tt_cast(b, loc, "arith.index_cast", r, mlirValueGetType(integer)), integer);
}

/* Whether `load` has what the element of `store` holds when that comes to it. */
static bool is_old(TtArena *arena, MlirOperation load, MlirOperation store) {
  if (!tt_op_is(load, "memref.load") ||
      !tt_value_eq(mlirOperationGetOperand(load, 0), mlirOperationGetOperand(store, 1)) ||
      !mlirBlockEqual(mlirOperationGetBlock(load), mlirOperationGetBlock(store)) ||
      !tt_is_current(arena, load, store))
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(load); ++i)
    if (!tt_same_index(arena, mlirOperationGetOperand(load, i),
                       mlirOperationGetOperand(store, i + 1)))
      return false;
  return true;
}

/* The dimension of `store` at whose index of a list `load` takes its own in dimension `d`; -1 where
 * there is none, or where other indices of the store may lie outside of what is loaded. */
static intptr_t listed_alike(TtArena *arena, MlirOperation load, intptr_t d, MlirOperation store,
                             const bool *loaded) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0)),
           other = mlirValueGetType(mlirOperationGetOperand(store, 1));
  for (intptr_t at = 0; at < mlirShapedTypeGetRank(other); ++at)
    if (loaded[at] && tt_same_index(arena, mlirOperationGetOperand(load, d + 1),
                                    mlirOperationGetOperand(store, at + 2)))
      return mlirShapedTypeGetDimSize(type, d) >= mlirShapedTypeGetDimSize(other, at) ? at : -1;
  return -1;
}

/* Whether `load` has, in the block of `store`, an element of another tensor at the store's index of
 * a list, of a row that lies elsewhere in other steps: what is chosen behind it, of which all
 * indices are as good. */
static bool is_beside(TtArena *arena, MlirOperation load, MlirOperation store, const bool *loaded) {
  if (!tt_op_is(load, "memref.load") ||
      !mlirBlockEqual(mlirOperationGetBlock(load), mlirOperationGetBlock(store)) ||
      !tt_is_current(arena, load, store))
    return false;
  intptr_t rank = mlirOperationGetNumOperands(load) - 1, alike = 0;
  for (intptr_t d = 0; d < rank; ++d) alike += listed_alike(arena, load, d, store, loaded) >= 0;
  return alike > 0 && alike < rank;
}

/* Whether the innermost loop moves an index of a list: in others a row of one place is stored. */
static bool moves_within(TtArena *arena, MlirOperation store, const bool *loaded) {
  MlirOperation loop = tt_parent(store);
  while (!mlirOperationIsNull(loop) && !tt_op_is(loop, "scf.for")) loop = tt_parent(loop);
  if (mlirOperationIsNull(loop)) return false;
  intptr_t rank = mlirOperationGetNumOperands(store) - 2;
  for (intptr_t d = 0; d < rank; ++d)
    if (loaded[d] && tt_is_made_of(arena, mlirOperationGetOperand(store, d + 2), tt_for_iv(loop)))
      return true;
  return false;
}

/* Whether what is stored is made of such an element. */
static bool takes_beside(TtArena *arena, MlirOperation store, const bool *loaded) {
  if (!moves_within(arena, store, loaded)) return false;
  TtValues all = tt_made_of(arena, mlirOperationGetOperand(store, 0), NULL, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (!mlirOperationIsNull(op) && is_beside(arena, op, store, loaded)) return true;
  }
  return false;
}

/* `load` at the indices `at` of the store in the place of those of lists. */
static MlirValue load_beside(TtArena *arena, TtBuilder *b, MlirOperation load, MlirOperation store,
                             const bool *loaded, const MlirValue *at) {
  MlirOperation copy = mlirOperationClone(load);
  for (intptr_t d = 0; d < mlirOperationGetNumOperands(load) - 1; ++d) {
    intptr_t alike = listed_alike(arena, load, d, store, loaded);
    if (alike >= 0) mlirOperationSetOperand(copy, d + 1, at[alike]);
  }
  return mlirOperationGetResult(tt_builder_insert(b, copy), 0);
}

/* `value`, with `now` in the place of what the element of the store held, and what lies beside it
 * at the indices `at`. */
static MlirValue made_of_old(TtArena *arena, TtBuilder *b, MlirOperation store, MlirValue value,
                             MlirValue now, const bool *beside, const MlirValue *at, int depth) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth == 0) return value;
  if (is_old(arena, op, store)) return now;
  if (beside && is_beside(arena, op, store, beside))
    return load_beside(arena, b, op, store, beside, at);
  MlirStringRef name = tt_op_name(op);
  bool computes = name.length > 6 && mlirOperationGetNumRegions(op) == 0 &&
                  (memcmp(name.data, "arith.", 6) == 0 || memcmp(name.data, "math.", 5) == 0);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!computes || n == 0 || n > 3) return value;
  MlirValue in[3];
  bool changed = false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    in[i] = made_of_old(arena, b, store, operand, now, beside, at, depth - 1);
    changed |= !tt_value_eq(in[i], operand);
  }
  if (!changed) return value;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < n; ++i) mlirOperationSetOperand(copy, i, in[i]);
  return mlirOperationGetResult(tt_builder_insert(b, copy), 0);
}

/* What is stored where `here` holds, else what is there. */
static void store_choice(TtArena *arena, TtBuilder *b, MlirOperation store, MlirValue here,
                         const bool *loaded, const MlirValue *at) {
  enum { DEPTH = 8 };
  MlirLocation loc = mlirOperationGetLocation(store);
  MlirValue value = mlirOperationGetOperand(store, 0), memref = mlirOperationGetOperand(store, 1);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(memref));
  TtOpState load = tt_op_state("memref.load", loc), choice = tt_op_state("arith.select", loc),
            s = tt_op_state("memref.store", loc);
  tt_op_state_operand(&load, memref);
  for (intptr_t d = 0; d < rank; ++d) tt_op_state_operand(&load, at[d]);
  tt_op_state_result(&load, mlirValueGetType(value));
  MlirValue old = mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&load)), 0);
  const bool *beside = takes_beside(arena, store, loaded) ? loaded : NULL;
  value = made_of_old(arena, b, store, value, old, beside, at, DEPTH);
  tt_op_state_operand(&choice, here);
  tt_op_state_operand(&choice, value);
  tt_op_state_operand(&choice, old);
  tt_op_state_result(&choice, mlirValueGetType(value));
  tt_op_state_operand(&s,
                      mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&choice)), 0));
  tt_op_state_operand(&s, memref);
  for (intptr_t d = 0; d < rank; ++d) tt_op_state_operand(&s, at[d]);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* The store at all indices; `term` is null where it is no sum. */
static void store_at_all(TtArena *arena, MlirOperation store, const TtTerm *term,
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
  if (term) tt_store_term(arena, &b, store, term, here, at);
  else store_choice(arena, &b, store, here, loaded, at);
  mlirOperationDestroy(store);
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps stores = tt_collect(arena, kernel, "memref.store");
  bool changed = false;
  for (intptr_t i = 0; i < stores.n; ++i) {
    bool loaded[TT_MAX_RANK] = {false};
    TtTerm term;
    bool sum = find_indices(arena, stores.data[i], loaded, is_loaded) &&
               tt_term_of(arena, stores.data[i], &term);
    bool both = is_used_by("memref.load", mlirOperationGetOperand(stores.data[i], 1));
    if (!sum && !find_indices(arena, stores.data[i], loaded, is_computed) &&
        !(find_indices(arena, stores.data[i], loaded, is_loaded) &&
          (both || takes_beside(arena, stores.data[i], loaded))))
      continue;
    store_at_all(arena, stores.data[i], sum ? &term : NULL, loaded);
    changed = true;
  }
  if (changed) tt_erase_dead(kernel);
  return true;
}

bool tt_run_sum_scattered(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
