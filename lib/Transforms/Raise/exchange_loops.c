/*===- exchange_loops.c - a loop whose steps are independent goes inside of one whose are not
 * -------===
 *
 *   for %i = 0 to 64 {                         for %i = 0 to 64 { %m[%i] = 0 }
 *     %m[%i] = 0                           =   for %j = 0 to 40 {
 *     for %j = 0 to 40 { %m[%i] = f(%m[%i]) }    for %i = 0 to 64 { %m[%i] = f(%m[%i]) } }
 *     %M[%i] = %m[%i]                          for %i = 0 to 64 { %M[%i] = %m[%i] }
 *   }
 *
 * A recurrence along rows is then one op for all rows in each of its steps. Numbers that the parts
 * give each other lie in buffers with an element for each step of %i.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

/*===- Whether ------------------------------------------------------------------------------===*/

/* `op`, or the branches right around it. */
static MlirOperation with_branches(MlirOperation op) {
  while (tt_op_is(tt_parent(op), "scf.if")) op = tt_parent(op);
  return op;
}

/* Whether no step of `loop` needs what another one writes: all that touches a buffer that is
 * written moves along with it, in the same place. */
static bool is_independent(TtArena *arena, MlirOperation loop) {
  TtOps all = tt_collect(arena, loop, "memref.load"),
        stores = tt_collect(arena, loop, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i) tt_ops_add(arena, &all, stores.data[i]);
  for (intptr_t i = 0; i < stores.n; ++i)
    for (intptr_t j = 0; j < all.n; ++j) {
      TtNest a, b;
      TtElement x, y;
      if (!tt_value_eq(mlirOperationGetOperand(stores.data[i], 1),
                       mlirOperationGetOperand(all.data[j], tt_op_is(all.data[j], "memref.store"))))
        continue;
      if (tt_nest_around(arena, loop, with_branches(stores.data[i]), &a) ||
          tt_nest_around(arena, loop, with_branches(all.data[j]), &b))
        return false;
      a.any_way = b.any_way = true; /* loops inside may count down */
      if (tt_element_of(&a, stores.data[i], &x) || tt_element_of(&b, all.data[j], &y) ||
          !tt_moves_alike(&a, &x, &y, 0))
        return false;
    }
  return true;
}

/* Whether `loop` holds other loops only, besides numbers and elements, and `inner` has the same
 * bounds in all of its steps. */
static bool can_part(MlirOperation loop, MlirOperation inner) {
  int64_t bound;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (mlirOperationGetNumRegions(op) > 0 && !tt_op_is(op, "scf.for")) return false;
  for (intptr_t i = 0; i < 3; ++i) {
    MlirValue value = mlirOperationGetOperand(inner, i);
    if (!tt_constant(value, &bound) && tt_is_defined_in(loop, value)) return false;
  }
  return true;
}

/* Has loops right in `loop` carry nothing; what `inner` is then. */
static MlirOperation keep_numbers(TtArena *arena, MlirOperation loop, MlirOperation inner) {
  TtOps loops = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (tt_op_is(op, "scf.for")) tt_ops_add(arena, &loops, op);
  for (intptr_t i = 0; i < loops.n; ++i) {
    bool it = tt_op_eq(loops.data[i], inner);
    MlirOperation made = tt_keep_in_buffers(arena, loop, loops.data[i]);
    if (it) inner = made;
  }
  return inner;
}

static bool carries(MlirOperation loop) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (tt_op_is(op, "scf.for") && mlirOperationGetNumResults(op) > 0) return true;
  return false;
}

/*===- Numbers between the parts -------------------------------------------------------------===*/

static bool is_used_behind(MlirOperation op, MlirOperation inner) {
  MlirBlock block = mlirOperationGetBlock(op);
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation at = tt_ancestor_in(block, mlirOpOperandGetOwner(use));
    if (tt_op_eq(at, inner) || tt_is_before(inner, at)) return true;
  }
  return false;
}

/* What is computed before `inner` and used in it or behind goes through buffers. */
static void part_numbers(TtArena *arena, MlirOperation loop, MlirOperation inner) {
  TtNest nest;
  if (tt_nest_around(arena, loop, inner, &nest)) return;
  TtOps before = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_op_eq(op, inner);
       op = tt_next(op))
    tt_ops_add(arena, &before, op);
  for (intptr_t i = 0; i < before.n; ++i) {
    MlirOperation op = before.data[i];
    if (mlirOperationGetNumResults(op) != 1 || tt_op_is(op, "arith.constant") ||
        !tt_is_number(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
        !is_used_behind(op, inner))
      continue;
    MlirValue value = mlirOperationGetResult(op, 0), memref = tt_buffer_for(&nest, value);
    TtBuilder in = tt_builder_at_start(tt_for_body(inner)), behind = tt_builder_after(inner);
    MlirValue inside = tt_load_step(&nest, &in, memref),
              after = tt_load_step(&nest, &behind, memref);
    tt_replace_in(arena, inner, value, inside);
    for (MlirOperation later = tt_next(tt_defining_op(after)); !mlirOperationIsNull(later);
         later = tt_next(later))
      tt_replace_in(arena, later, value, after);
    TtBuilder out = tt_builder_after(op);
    tt_store_step(&nest, &out, value, memref);
  }
}

/*===- The parts -----------------------------------------------------------------------------===*/

/* `loop` with only what stands before `inner` (part 0), `inner` (1), or what stands behind it (2);
 * of the rest, only indices. */
static MlirOperation part_of(TtArena *arena, MlirOperation loop, intptr_t inner_at, int part) {
  MlirOperation copy = mlirOperationClone(loop);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop, copy);
  MlirBlock body = tt_for_body(copy);
  TtOps ops = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !tt_is_terminator(op); op = tt_next(op))
    tt_ops_add(arena, &ops, op);
  for (intptr_t i = ops.n; i-- > 0;) { /* users first */
    int of = i < inner_at ? 0 : i > inner_at ? 2 : 1;
    bool used = mlirOperationGetNumResults(ops.data[i]) > 0 &&
                tt_has_uses(mlirOperationGetResult(ops.data[i], 0));
    if (of != part && !used) mlirOperationDestroy(ops.data[i]);
  }
  return copy;
}

/* What steps of `outer` have in common, such as an entry of a list, stands before it. */
static void hoist_common(MlirOperation outer) {
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(outer));
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(outer)), next; !tt_op_eq(op, end);
       op = next) {
    next = tt_next(op);
    bool common = tt_load_index_isa(op) || tt_op_is(op, "arith.index_cast") ||
                  tt_op_is(op, "affine.apply") || tt_op_is(op, "arith.constant");
    for (intptr_t i = 0; common && i < mlirOperationGetNumOperands(op); ++i)
      common = !tt_is_defined_in(outer, mlirOperationGetOperand(op, i));
    if (common) mlirOperationMoveBefore(op, outer);
  }
}

/* for %i { for %j { … } } = for %j { for %i { … } } */
static MlirOperation exchange(MlirOperation outer) {
  MlirOperation inner = mlirBlockGetFirstOperation(tt_for_body(outer));
  while (!tt_op_is(inner, "scf.for")) inner = tt_next(inner);
  MlirLocation loc = mlirOperationGetLocation(inner);
  TtBuilder b = tt_builder_before(outer);
  int64_t bound;
  MlirValue values[3];
  for (intptr_t i = 0; i < 3; ++i) {
    values[i] = mlirOperationGetOperand(inner, i);
    if (tt_constant(values[i], &bound)) values[i] = tt_index(&b, loc, bound);
  }
  MlirOperation made = tt_for(&b, loc, values[0], values[1], values[2], NULL);
  mlirOperationMoveBefore(outer, mlirBlockGetTerminator(tt_for_body(made)));
  mlirValueReplaceAllUsesOfWith(tt_for_iv(inner), tt_for_iv(made));
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(inner));
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(inner)), next; !tt_op_eq(op, end);
       op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, inner);
  }
  mlirOperationDestroy(inner);
  hoist_common(outer);
  return made;
}

bool tt_exchange_loops(TtArena *arena, MlirOperation loop, MlirOperation inner,
                       MlirOperation parts[3]) {
  if (!can_part(loop, inner) || mlirOperationGetNumResults(loop) > 0 ||
      !is_independent(arena, loop))
    return false;
  inner = keep_numbers(arena, loop, inner);
  if (carries(loop)) return false;
  part_numbers(arena, loop, inner);
  intptr_t at = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_op_eq(op, inner);
       op = tt_next(op))
    ++at;
  for (int i = 0; i < 3; ++i) parts[i] = part_of(arena, loop, at, i);
  parts[1] = exchange(parts[1]);
  mlirOperationDestroy(loop);
  return true;
}
