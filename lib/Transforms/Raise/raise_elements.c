/*===- raise_elements.c - --tt-raise-elements ----------------------------------------------===
 *
 * Turns loops over elements into linalg ops on blocks: a store becomes an op of its own, over
 * all loops around it.
 *
 *   before  for %i = 0 to 32 {                      after  linalg.fill ins(%zero) outs(%s)
 *             store %zero, %S[%i]                          linalg.generic (i, j) -> (i, j), (i)
 *             for %j = 0 to 64 {                             … addf …
 *               %s = load %S[%i] + load %A[%i, %j]
 *               store %s, %S[%i]
 *           } }
 *
 * That is right where what two stores, or a load and a store, touch of one buffer moves with the
 * loops that they share: then no step of those depends on another one. Indices are loop
 * variables, plus what does not change in the loops. What a step adds in several terms, or in a
 * branch, becomes one term (carried_terms.c), and loops over every so many elements go on by one
 * (loop_steps.c).
 *
 * A loop of which a step needs what another one has written, as a state goes on over time, stays,
 * outside of independent ones (exchange_loops.c); the loops inside of it become ops. Where there
 * are none, its steps are done one by one, in the order that is written, with a warning: they are
 * slow. What stands between these, --tt-raise-scalars takes. A buffer of which each step has its
 * own row is one of that size in the step (own_rows.c).
 *
 * Requires raised loops. What is no map, reduction or copy stays, and is refused later on, by
 * --tt-lower-tile-intrinsics; here it is said why.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/elements.h"

#include <string.h>

enum { MOST_SLOW = 16 }; /* warnings of a kernel */

static bool starts_with(MlirStringRef name, const char *prefix) {
  size_t n = strlen(prefix);
  return name.length > n && memcmp(name.data, prefix, n) == 0;
}

/* Whether a loop holds loops, numbers, loads and stores, and one store at least, or a number that
 * it carries. */
static bool is_of_elements(TtArena *arena, MlirOperation loop) {
  TtOps ops = tt_collect(arena, loop, NULL);
  bool stores = tt_carries_numbers(loop);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    MlirStringRef name = tt_op_name(op);
    bool known = starts_with(name, "arith.") || starts_with(name, "math.") ||
                 starts_with(name, "affine.") || tt_op_is(op, "scf.for") ||
                 tt_op_is(op, "scf.if") || tt_op_is(op, "scf.yield") ||
                 tt_op_is(op, "memref.load") || tt_op_is(op, "memref.store");
    if (!known) return false;
    stores |= tt_op_is(op, "memref.store");
  }
  return stores;
}

/* Of two accesses of one buffer, at least one a store: whether they touch one element in one step
 * of the loops that both have only, or none in any. */
static bool stay_in_step(TtArena *arena, MlirOperation top, MlirOperation a, MlirOperation b) {
  TtNest na, nb;
  TtElement ea, eb;
  if (tt_nest_around(arena, top, a, &na) || tt_nest_around(arena, top, b, &nb) ||
      tt_element_of(&na, a, &ea) || tt_element_of(&nb, b, &eb))
    return false;
  int shared = 0;
  while (shared < na.n && shared < nb.n && tt_op_eq(na.loops[shared], nb.loops[shared])) ++shared;
  bool all = shared == na.n && shared == nb.n;
  if (all && tt_never_meet(&na, &ea, &eb)) return true;
  for (int i = 0; i < shared; ++i)
    if (!tt_moves_alike(&na, &ea, &eb, i)) return false;
  return true;
}

/* Whether `load`, which `store` uses, is read when that is made: no other store to its buffer
 * stands between the two. `places` are all accesses, in order. */
static bool is_current(const TtOps *accesses, intptr_t load, intptr_t store) {
  MlirValue memref = mlirOperationGetOperand(accesses->data[load], 0);
  for (intptr_t i = load + 1; i < store; ++i)
    if (tt_op_is(accesses->data[i], "memref.store") &&
        tt_value_eq(mlirOperationGetOperand(accesses->data[i], 1), memref))
      return false;
  return true;
}

static bool stores_what(TtArena *arena, MlirOperation store, MlirOperation load) {
  return tt_is_made_of(arena, mlirOperationGetOperand(store, 0), mlirOperationGetResult(load, 0));
}

/* Whether of the stores `store` alone is made of what `load` reads. */
static bool serves_only(TtArena *arena, const TtOps *all, intptr_t load, intptr_t store) {
  for (intptr_t i = 0; i < all->n; ++i)
    if (i != store && tt_op_is(all->data[i], "memref.store") &&
        stores_what(arena, all->data[i], all->data[load]))
      return false;
  return true;
}

/* Loads that are used, and stores. */
static TtOps accesses_of(TtArena *arena, MlirOperation top) {
  TtOps all = tt_collect(arena, top, NULL), found = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_op_is(all.data[i], "memref.store") ||
        (tt_op_is(all.data[i], "memref.load") &&
         tt_has_uses(mlirOperationGetResult(all.data[i], 0))))
      tt_ops_add(arena, &found, all.data[i]);
  return found;
}

/* Whether the stores of a nest may be done one after the other: NULL, or why not, at `*where`. */
static const char *check_order(TtArena *arena, MlirOperation top, const TtOps *all,
                               MlirOperation *where) {
  for (intptr_t i = 0; i < all->n; ++i) {
    if (!tt_op_is(all->data[i], "memref.store")) continue;
    MlirValue memref = mlirOperationGetOperand(all->data[i], 1);
    for (intptr_t j = 0; j < all->n; ++j) {
      MlirOperation other = all->data[j];
      bool store = tt_op_is(other, "memref.store");
      if (j == i || !tt_value_eq(mlirOperationGetOperand(other, store), memref)) continue;
      /* The op itself looks at what it reads of its output; another one would read it too late. */
      bool own = !store && j < i && stores_what(arena, all->data[i], other);
      if (own && serves_only(arena, all, j, i)) continue;
      *where = other;
      if (!stay_in_step(arena, top, all->data[i], other))
        return "steps of a loop touch elements of one buffer that other steps write";
    }
    for (intptr_t j = 0; j < i; ++j) {
      *where = all->data[j];
      if (tt_op_is(all->data[j], "memref.load") && stores_what(arena, all->data[i], all->data[j]) &&
          !is_current(all, j, i))
        return "a value is read, overwritten and used after that";
    }
  }
  return NULL;
}

/* Checks the stores of a nest, or makes ops of them; NULL, or why there are none, at `*where`. */
static const char *each_store(TtArena *arena, MlirOperation top, const TtOps *all, bool make,
                              MlirOperation *where) {
  const char *why = NULL;
  for (intptr_t i = 0; i < all->n && !why; ++i) {
    TtNest nest;
    if (!tt_op_is(all->data[i], "memref.store")) continue;
    *where = all->data[i];
    why = tt_nest_around(arena, top, all->data[i], &nest);
    if (!why) why = tt_element_op(&nest, all->data[i], make);
  }
  return why;
}

/* Whether a nest may become ops: NULL, or why not, at `*where`. */
static const char *check_nest(TtArena *arena, MlirOperation top, MlirOperation *where) {
  TtOps all = accesses_of(arena, top);
  if (mlirOperationGetNumResults(top) > 0)
    return "a loop carries what is no float and no integer of 8 bits or more";
  const char *why = check_order(arena, top, &all, where);
  return why ? why : each_store(arena, top, &all, false, where);
}

static void make_nest(TtArena *arena, MlirOperation top) {
  MlirOperation where;
  TtOps all = accesses_of(arena, top);
  each_store(arena, top, &all, true, &where);
  mlirOperationDestroy(top);
}

/* Whether something is loaded or stored right in `block`, or in a branch there. */
static bool has_accesses(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (tt_op_is(op, "memref.store") || tt_op_is(op, "memref.load")) return true;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op) && tt_op_is(op, "scf.if"); ++i) {
      MlirBlock branch = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
      if (!mlirBlockIsNull(branch) && has_accesses(branch)) return true;
    }
  }
  return false;
}

/* Whether a loop goes over blocks, of which loops inside of it take the elements: its variable
 * moves an index by more than one, and nothing is loaded or stored right in it. */
static bool goes_over_blocks(TtArena *arena, MlirOperation loop) {
  int64_t step, factor;
  bool blocks = !tt_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1;
  if (mlirOperationGetNumResults(loop) > 0 || has_accesses(tt_for_body(loop))) return false;
  TtOps accesses = accesses_of(arena, loop);
  for (intptr_t i = 0; i < accesses.n && !blocks; ++i)
    for (intptr_t d = 0; d < mlirOperationGetNumOperands(accesses.data[i]); ++d) {
      MlirValue index = mlirOperationGetOperand(accesses.data[i], d);
      if (mlirTypeIsAIndex(mlirValueGetType(index)) &&
          (!tt_index_factor(arena, index, tt_for_iv(loop), &factor) ||
           (factor != 0 && factor != 1)))
        blocks = true;
    }
  return blocks;
}

void tt_find_nests(TtArena *arena, MlirBlock block, TtOps *nests) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    bool nest =
        tt_op_is(op, "scf.for") && is_of_elements(arena, op) && !goes_over_blocks(arena, op);
    if (nest) tt_ops_add(arena, nests, op);
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op) && !nest && !tt_is_linalg(op); ++i)
      for (MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
           !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        tt_find_nests(arena, inner, nests);
  }
}

/*===- Which loops become ops ----------------------------------------------------------------===*/

typedef struct Refusal {
  const char *why;
  MlirLocation where;
} Refusal;

/* Whether `loop`, made plain, may become ops; tried on a copy of it. */
static Refusal try_nest(TtArena *arena, MlirOperation loop) {
  MlirOperation end = tt_next(loop), copy = mlirOperationClone(loop), where = loop;
  MlirBlock block = mlirOperationGetBlock(loop);
  mlirBlockInsertOwnedOperationAfter(block, loop, copy);
  tt_plain_elements(arena, copy);
  Refusal refusal = {NULL, mlirOperationGetLocation(loop)};
  TtOps made = {NULL, 0, 0};
  for (MlirOperation op = tt_next(loop); !tt_op_eq(op, end); op = tt_next(op)) {
    tt_ops_add(arena, &made, op);
    if (!refusal.why && tt_op_is(op, "scf.for")) {
      refusal.why = check_nest(arena, op, &where);
      refusal.where = mlirOperationGetLocation(where);
    }
  }
  for (intptr_t i = made.n; i-- > 0;) mlirOperationDestroy(made.data[i]);
  return refusal;
}

/* The first loop right in `loop` that cannot become ops; null where there is none. */
static MlirOperation hard_loop_in(TtArena *arena, MlirOperation loop) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op))
    if (tt_op_is(op, "scf.for") && try_nest(arena, op).why) return op;
  return (MlirOperation){NULL};
}

/* Whether `loop` carries numbers, and what it stores it does not load: its steps may be steps of
 * the core, which computes such numbers one by one (--tt-raise-scalars). */
static bool only_carries(TtArena *arena, MlirOperation loop) {
  TtOps all = tt_collect(arena, loop, "memref.load"),
        stores = tt_collect(arena, loop, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i)
    for (intptr_t j = 0; j < all.n; ++j)
      if (tt_value_eq(mlirOperationGetOperand(all.data[j], 0),
                      mlirOperationGetOperand(stores.data[i], 1)))
        return false;
  return mlirOperationGetNumResults(loop) > 0;
}

/* Loops that become ops, and where there are some whose steps are done one by one. */
typedef struct Chosen {
  TtOps nests;
  MlirLocation slow[MOST_SLOW];
  int num_slow;
} Chosen;

/* Warns of a loop, once for all that were one. */
static void warn(Chosen *chosen, MlirOperation loop, const char *why) {
  for (int i = 0; i < chosen->num_slow; ++i)
    if (mlirLocationEqual(chosen->slow[i], mlirOperationGetLocation(loop))) return;
  if (chosen->num_slow == MOST_SLOW) return;
  chosen->slow[chosen->num_slow++] = mlirOperationGetLocation(loop);
  tt_warning(loop,
             "goes on element by element, in the order that is written, which takes a core some "
             "thousand clk for each: %s",
             why);
}

/* Whether the steps of a loop without others in it can be told. */
static bool counts(TtArena *arena, MlirOperation loop) {
  TtNest nest;
  TtOps all = tt_collect(arena, loop, NULL);
  return all.n == 0 || tt_nest_around(arena, loop, all.data[0], &nest) == NULL;
}

/* Chooses the loops that become ops: `loop`, or those in it, or, where a loop in it cannot,
 * those that it becomes if that goes outside. */
static Refusal choose_loops(TtArena *arena, MlirOperation loop, Chosen *chosen, bool exchange) {
  Refusal refusal = try_nest(arena, loop), inner = {NULL};
  if (!refusal.why) {
    tt_ops_add(arena, &chosen->nests, loop);
    return refusal;
  }
  if (exchange) tt_open_branches(arena, loop);
  MlirOperation hard = exchange ? hard_loop_in(arena, loop) : (MlirOperation){NULL}, parts[3];
  if (!mlirOperationIsNull(hard) && tt_exchange_loops(arena, loop, hard, parts)) {
    for (int i = 0; i < 3 && !inner.why; ++i) inner = choose_loops(arena, parts[i], chosen, i != 1);
    return inner.why ? refusal : inner;
  }
  bool carries = only_carries(arena, loop);
  loop = tt_keep_in_buffers(arena, loop, loop);
  TtOps loops = {NULL, 0, 0}; /* each may become others */
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (tt_op_is(op, "scf.for")) tt_ops_add(arena, &loops, op);
  for (intptr_t i = 0; i < loops.n && !inner.why; ++i)
    inner = choose_loops(arena, loops.data[i], chosen, true);
  if (inner.why || (loops.n == 0 && !counts(arena, loop))) return refusal;
  if (loops.n == 0 && !carries) warn(chosen, loop, refusal.why);
  return inner;
}

/* The first loop right in `loop` that carries numbers over entries of a list, which are the same in
 * all steps of `loop`; null where there is none. */
static MlirOperation loop_over_list(TtArena *arena, MlirOperation loop) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (!tt_op_is(op, "scf.for") || mlirOperationGetNumResults(op) == 0) continue;
    bool lists = false, own = false;
    for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(op)); !tt_is_terminator(in);
         in = tt_next(in)) {
      if (!tt_load_index_isa(in)) continue;
      lists = true;
      int64_t factor;
      for (intptr_t i = 1; i < mlirOperationGetNumOperands(in); ++i)
        own |= !tt_index_factor(arena, mlirOperationGetOperand(in, i), tt_for_iv(loop), &factor) ||
               factor != 0;
    }
    if (lists && !own) return op;
  }
  return (MlirOperation){NULL};
}

/* A sum over pages that a list names, for each element: the loop over the list goes outside, so
 * that a page is read once for all elements. */
static void bring_lists_outside(TtArena *arena, MlirOperation kernel) {
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = loops.n; i-- > 0;) { /* inner ones are dealt with before what is around them */
    MlirOperation parts[3];
    if (mlirOperationGetNumResults(loops.data[i]) > 0) continue;
    MlirOperation list = loop_over_list(arena, loops.data[i]);
    if (mlirOperationIsNull(list)) continue;
    tt_exchange_loops(arena, loops.data[i], list, parts);
  }
}

/* Numbers that a loop around ops, or over what a list names, carries, as one over pages or over the
 * columns of a sparse row, are buffers of one element. */
static void keep_carried(TtArena *arena, MlirOperation kernel) {
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i) {
    bool ops = false;
    TtOps all = tt_collect(arena, loops.data[i], NULL);
    for (intptr_t j = 0; j < all.n && !ops; ++j) {
      bool own = tt_op_eq(tt_parent(all.data[j]), loops.data[i]);
      ops = tt_is_linalg(all.data[j]) ||
            (own && tt_load_index_isa(all.data[j]) && only_carries(arena, loops.data[i]));
    }
    if (ops) tt_keep_in_buffers(arena, loops.data[i], loops.data[i]);
  }
}

static bool raise_elements(TtArena *arena, MlirOperation kernel) {
  bring_lists_outside(arena, kernel);
  TtOps outer = {NULL, 0, 0};
  Chosen chosen = {.num_slow = 0};
  tt_find_nests(arena, tt_body(kernel), &outer);
  for (intptr_t i = 0; i < outer.n; ++i) {
    tt_count_by_one(arena, outer.data[i]);
    tt_start_at_zero(arena, outer.data[i]);
    tt_lift_sums(arena, outer.data[i]);
    Refusal refusal = choose_loops(arena, outer.data[i], &chosen, true);
    if (refusal.why)
      return tt_error_at(refusal.where,
                         "these loops over elements are no map, reduction or copy of blocks: %s; "
                         "write what they do as linalg ops on blocks",
                         refusal.why);
  }
  for (intptr_t i = 0; i < chosen.nests.n; ++i)
    make_nest(arena, tt_plain_elements(arena, chosen.nests.data[i]));
  keep_carried(arena, kernel);
  tt_own_rows(arena, kernel);
  return true;
}

bool tt_run_raise_elements(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, raise_elements);
}
