/*===- lift_sums.c - sums out of loops that they do not depend on -------------------------------===
 *
 *   for %d = 0 to 32 {                               for %j = 0 to 40 {
 *     for %j = 0 to 40 {                               %s = for %e { … %Q[%e] * %K[%j, %e] … }
 *       %s = for %e { … %Q[%e] * %K[%j, %e] … }   =    store %s, %b[%j] }
 *       … %s * load %V[%j, %d] … } }                 for %d = 0 to 32 {
 *                                                      for %j = 0 to 40 { … load %b[%j] * … } }
 *
 * as scores of attention that are made again for each column of the output. They are one product
 * then, and what is made of them another one.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Support/value_map.h"

#include <string.h>

enum { MOST_DIMS = 2, MOST_DEPTH = 32 };

typedef struct Lift {
  TtArena *arena;
  MlirOperation sum, steps, outer; /* the loop that sums, that over its steps, that it leaves */
  TtOps stores;                    /* in `outer` */
  TtOps made_of;                   /* what the sum takes from in `outer`, in order */
} Lift;

/*===- Whether ------------------------------------------------------------------------------===*/

static bool is_number_op(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  bool known = (name.length > 6 && memcmp(name.data, "arith.", 6) == 0) ||
               (name.length > 5 && memcmp(name.data, "math.", 5) == 0) ||
               tt_op_is(op, "affine.apply") || tt_op_is(op, "memref.load");
  return known && mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumResults(op) == 1;
}

/* Whether a load is the same in all steps of the outer loop. */
static bool is_steady(const Lift *l, MlirOperation op) {
  if (!tt_op_is(op, "memref.load")) return true;
  MlirValue root = tt_view_root(mlirOperationGetOperand(op, 0));
  for (intptr_t i = 0; i < l->stores.n; ++i)
    if (tt_value_eq(tt_view_root(mlirOperationGetOperand(l->stores.data[i], 1)), root))
      return false;
  return !tt_is_defined_in(l->outer, mlirOperationGetOperand(op, 0));
}

static bool is_noted(const Lift *l, MlirOperation op) {
  for (intptr_t i = 0; i < l->made_of.n; ++i)
    if (tt_op_eq(l->made_of.data[i], op)) return true;
  return false;
}

/* Whether `value` is there outside of the outer loop, or may be made there; notes what makes it. */
static bool is_free(Lift *l, MlirValue value, int depth) {
  if (!tt_is_defined_in(l->outer, value) || tt_value_eq(value, tt_for_iv(l->steps))) return true;
  MlirOperation op = tt_defining_op(value);
  if (depth == 0 || mlirOperationIsNull(op) || !is_number_op(op) || !is_steady(l, op)) return false;
  if (is_noted(l, op)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_free(l, mlirOperationGetOperand(op, i), depth - 1)) return false;
  tt_ops_add(l->arena, &l->made_of, op);
  return true;
}

/* Whether the sum takes nothing that the outer loop changes, and stores nothing. */
static bool is_alone(Lift *l) {
  TtOps all = tt_collect(l->arena, l->sum, NULL);
  tt_ops_add(l->arena, &all, l->sum);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    bool plain = tt_op_is(op, "scf.for") || tt_op_is(op, "scf.yield") || is_number_op(op);
    if (!plain || !is_steady(l, op)) return false;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue value = mlirOperationGetOperand(op, j);
      if (!tt_is_defined_in(l->sum, value) && !is_free(l, value, MOST_DEPTH)) return false;
    }
  }
  return true;
}

/* Whether `sum` stands in a loop over its steps, that in one which it does not depend on, and that
 * in `top` or is it. */
static bool find(TtArena *arena, MlirOperation top, MlirOperation sum, Lift *l) {
  *l = (Lift){.arena = arena, .sum = sum};
  if (tt_op_eq(sum, top) || !tt_carries_numbers(sum)) return false;
  l->steps = tt_parent(sum);
  if (!tt_op_is(l->steps, "scf.for") || tt_op_eq(l->steps, top)) return false;
  l->outer = tt_parent(l->steps);
  if (!tt_op_is(l->outer, "scf.for")) return false;
  for (intptr_t i = 0; i < 3; ++i)
    if (tt_is_defined_in(l->outer, mlirOperationGetOperand(l->steps, i)) &&
        !tt_op_is(tt_defining_op(mlirOperationGetOperand(l->steps, i)), "arith.constant"))
      return false;
  l->stores = tt_collect(arena, l->outer, "memref.store");
  return is_alone(l);
}

/*===- Lifting --------------------------------------------------------------------------------===*/

static MlirOperation clone_to(TtBuilder *b, MlirOperation op) {
  return tt_builder_insert(b, mlirOperationClone(op));
}

/* The loop over the steps with the sum alone, before the outer loop; the sum in it. */
static MlirOperation sum_before(const Lift *l) {
  TtBuilder b = tt_builder_before(l->outer);
  MlirLocation loc = mlirOperationGetLocation(l->steps);
  MlirValue bounds[3];
  for (intptr_t i = 0; i < 3; ++i) {
    bounds[i] = mlirOperationGetOperand(l->steps, i);
    if (tt_is_defined_in(l->outer, bounds[i]))
      bounds[i] = mlirOperationGetResult(clone_to(&b, tt_defining_op(bounds[i])), 0);
  }
  MlirOperation loop = tt_for(&b, loc, bounds[0], bounds[1], bounds[2], NULL);
  TtBuilder in = tt_builder_at_terminator(tt_for_body(loop));
  TtOps copies = {NULL, 0, 0};
  for (intptr_t i = 0; i <= l->made_of.n; ++i)
    tt_ops_add(l->arena, &copies, clone_to(&in, i < l->made_of.n ? l->made_of.data[i] : l->sum));
  for (intptr_t i = 0; i < copies.n; ++i) {
    tt_replace_in(l->arena, copies.data[i], tt_for_iv(l->steps), tt_for_iv(loop));
    for (intptr_t j = 0; j < i; ++j)
      tt_replace_in(l->arena, copies.data[i], mlirOperationGetResult(l->made_of.data[j], 0),
                    mlirOperationGetResult(copies.data[j], 0));
  }
  return copies.data[l->made_of.n];
}

static bool lift(const Lift *l, MlirOperation top) {
  MlirOperation sum = sum_before(l);
  TtNest nest;
  if (tt_nest_around(l->arena, top, sum, &nest) || nest.n > MOST_DIMS) {
    mlirOperationDestroy(tt_parent(sum));
    return false;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(sum); ++i) {
    MlirValue buffer = tt_buffer_for(&nest, mlirOperationGetResult(sum, i));
    TtBuilder b = tt_builder_after(sum), in = tt_builder_before(l->sum);
    tt_store_step(&nest, &b, mlirOperationGetResult(sum, i), buffer);
    MlirValue again = tt_load_step(&nest, &in, buffer);
    mlirOperationSetOperand(tt_defining_op(again), nest.n, tt_for_iv(l->steps));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(l->sum, i), again);
  }
  mlirOperationDestroy(l->sum);
  return true;
}

void tt_lift_sums(TtArena *arena, MlirOperation top) {
  for (bool any = true; any;) { /* each is once less in a loop than it was */
    TtOps loops = tt_collect(arena, top, "scf.for");
    any = false;
    for (intptr_t i = 0; i < loops.n && !any; ++i) {
      Lift l;
      any = find(arena, top, loops.data[i], &l) && lift(&l, top);
    }
  }
}
