/*===- take_elements.c - --tt-take-elements ------------------------------------------------===
 *
 * Numbers that a body takes from outside, and that come from elements of tensors, become operands:
 * a block of one element, the same everywhere.
 *
 *   before  %s = memref.load %slopes[%h] : memref<8xf32>
 *           %t = arith.mulf %s, %scale : f32
 *           linalg.generic … ins(%x : …) outs(%y : …) { ^bb0(%a: f32, %o: f32): … %t … }
 *   after   %v = memref.subview %slopes[%h] [1] [1] : memref<8xf32> to memref<f32, …>
 *           linalg.generic … ins(%x, %v : …) outs(%y : …) { ^bb0(%a: f32, %s: f32, %o: f32):
 *             %t = arith.mulf %s, %scale : f32 … %t … }
 *
 * An element of a buffer of the core is taken where nothing writes the buffer in between. Flags and
 * floats that are computed of others outside of the body, as whether a row is of a triangle, are
 * computed in it.
 *
 * Requires raised loops.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/elements.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

enum { MAX_TAKEN = 16, MAX_OPERANDS = 24 };

typedef struct Taken {
  TtArena *arena;
  MlirOperation kernel, generic;
  MlirOperation loads[MAX_TAKEN];
  intptr_t n;
  TtValueMap known; /* what is in the body already: its place in `brought` */
  TtValues brought;
} Taken;

/* A number that is an element of a tensor argument, or one of a buffer of the core that is still
 * the same where the op is. */
static bool is_element(const Taken *t, MlirOperation op) {
  if (!tt_op_is(op, "memref.load")) return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  bool integer = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 8;
  MlirValue root = tt_view_root(mlirOperationGetOperand(op, 0));
  if ((!mlirTypeIsAFloat(type) && !integer) || mlirOperationGetNumOperands(op) - 1 > TT_MAX_RANK)
    return false;
  if (mlirValueIsABlockArgument(root))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(root), tt_body(t->kernel));
  return tt_op_is(tt_defining_op(root), "memref.alloc") && tt_is_current(t->arena, op, t->generic);
}

static bool is_number_op(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  bool known = name.length > 6 &&
               (memcmp(name.data, "arith.", 6) == 0 || memcmp(name.data, "math.", 5) == 0);
  return known && mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumResults(op) == 1;
}

static bool is_inside(MlirOperation op, MlirOperation generic) {
  for (; !mlirOperationIsNull(op); op = tt_parent(op))
    if (tt_op_eq(op, generic)) return true;
  return false;
}

static bool goes_on(const void *t, MlirOperation op) {
  return is_number_op(op) && !is_element((const Taken *)t, op);
}

/* Whether `value`, from outside of the body, is made of elements. */
static bool has_element(const Taken *t, MlirValue value) {
  TtValues all = tt_made_of(t->arena, value, goes_on, t);
  for (intptr_t i = 0; i < all.n; ++i)
    if (is_element(t, tt_defining_op(all.data[i]))) return true;
  return false;
}

static bool is_noted(const Taken *t, MlirOperation op) {
  for (intptr_t i = 0; i < t->n; ++i)
    if (tt_op_eq(t->loads[i], op)) return true;
  return false;
}

/* Notes the elements that `value` is made of; false where there are too many. */
static bool note_elements(Taken *t, MlirValue value) {
  TtValues all = tt_made_of(t->arena, value, goes_on, t);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (!is_element(t, op) || is_noted(t, op)) continue;
    if (t->n == MAX_TAKEN) return false;
    t->loads[t->n++] = op;
  }
  return true;
}

/* `value` in the body, whose arguments from `first` on are the elements. */
static MlirValue bring(Taken *t, intptr_t first, MlirOperation before, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  int known = tt_value_map_get(&t->known, value);
  if (known >= 0) return t->brought.data[known];
  if (!has_element(t, value)) return value;
  for (intptr_t i = 0; i < t->n; ++i)
    if (tt_op_eq(t->loads[i], op)) return mlirBlockGetArgument(tt_body(t->generic), first + i);
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, bring(t, first, before, mlirOperationGetOperand(op, i)));
  mlirBlockInsertOwnedOperationBefore(tt_body(t->generic), before, copy);
  tt_value_map_set(t->arena, &t->known, value, (int)t->brought.n);
  tt_values_add(t->arena, &t->brought, mlirOperationGetResult(copy, 0));
  return mlirOperationGetResult(copy, 0);
}

/* The same op with the elements behind its inputs. */
static MlirOperation rebuild(const Taken *t, intptr_t inputs) {
  MlirOperation old = t->generic;
  MlirLocation loc = mlirOperationGetLocation(old);
  TtBuilder b = tt_builder_before(old);
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(old), all[MAX_OPERANDS];
  intptr_t operands = mlirOperationGetNumOperands(old), n = 0;
  MlirValue values[MAX_OPERANDS];
  MlirAffineMap first = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0));
  for (intptr_t i = 0; i <= operands; ++i) {
    for (intptr_t j = 0; i == inputs && j < t->n; ++j, ++n) {
      values[n] = tt_element_view(&b, t->loads[j]);
      all[n] = mlirAffineMapAttrGet(
          mlirAffineMapGet(b.context, mlirAffineMapGetNumDims(first), 0, 0, NULL));
    }
    if (i == operands) break;
    values[n] = mlirOperationGetOperand(old, i);
    all[n++] = mlirArrayAttrGetElement(maps, i);
  }
  TtOpState s = tt_op_state("linalg.generic", loc);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, values[i]);
  tt_op_state_attr(&s, b.context, "indexing_maps", mlirArrayAttrGet(b.context, n, all));
  tt_op_state_attr(&s, b.context, "iterator_types", tt_op_attr(old, "iterator_types"));
  int32_t segments[2] = {(int32_t)(inputs + t->n), (int32_t)(operands - inputs)};
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, segments));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation generic = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirRegionTakeBody(mlirOperationGetRegion(generic, 0), mlirOperationGetRegion(old, 0));
  for (intptr_t j = 0; j < t->n; ++j)
    mlirBlockInsertArgument(tt_body(generic), inputs + j,
                            mlirValueGetType(mlirOperationGetResult(t->loads[j], 0)), loc);
  mlirOperationDestroy(old);
  return generic;
}

void tt_take_elements(TtArena *arena, MlirOperation kernel, MlirOperation old) {
  Taken t = {.arena = arena, .kernel = kernel, .generic = old};
  intptr_t inputs = tt_linalg_num_inputs(old);
  TtOps body = tt_collect(arena, old, NULL);
  for (intptr_t i = 0; i < body.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(body.data[i]); ++j) {
      MlirValue value = mlirOperationGetOperand(body.data[i], j);
      if (!is_inside(tt_defining_op(value), old) && !note_elements(&t, value)) return;
    }
  if (t.n == 0 || mlirOperationGetNumOperands(old) + t.n > MAX_OPERANDS ||
      mlirOperationGetNumResults(old) > 0)
    return;
  MlirOperation generic = t.generic = rebuild(&t, inputs),
                first = mlirBlockGetFirstOperation(tt_body(generic));
  for (intptr_t i = 0; i < body.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(body.data[i]); ++j) {
      MlirValue value = mlirOperationGetOperand(body.data[i], j);
      if (!is_inside(tt_defining_op(value), generic))
        mlirOperationSetOperand(body.data[i], j, bring(&t, inputs, first, value));
    }
}

/* A flag or a float that an op computes. */
static bool is_computed(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  bool flag = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  MlirOperation op = tt_defining_op(value);
  return (flag || mlirTypeIsAFloat(type)) && !mlirOperationIsNull(op) && is_number_op(op) &&
         !tt_op_is(op, "arith.constant") && !tt_op_is(op, "arith.extf") &&
         !tt_op_is(op, "arith.truncf");
}

/* `value` before op `before` of the body, with what it is made of; `t` knows what is there. */
static MlirValue compute(Taken *t, MlirOperation before, MlirValue value) {
  if (!is_computed(value) || is_inside(tt_defining_op(value), t->generic)) return value;
  int known = tt_value_map_get(&t->known, value);
  if (known >= 0) return t->brought.data[known];
  MlirOperation copy = mlirOperationClone(tt_defining_op(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, compute(t, before, mlirOperationGetOperand(copy, i)));
  mlirBlockInsertOwnedOperationBefore(tt_body(t->generic), before, copy);
  tt_value_map_set(t->arena, &t->known, value, (int)t->brought.n);
  tt_values_add(t->arena, &t->brought, mlirOperationGetResult(copy, 0));
  return mlirOperationGetResult(copy, 0);
}

/* Has the body compute such numbers that its ops take from outside. */
static void compute_inside(TtArena *arena, MlirOperation generic) {
  Taken t = {.arena = arena, .generic = generic};
  TtOps body = tt_collect(arena, generic, NULL);
  MlirOperation first = mlirBlockGetFirstOperation(tt_body(generic));
  for (intptr_t i = 0; i < body.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(body.data[i]); ++j)
      mlirOperationSetOperand(body.data[i], j,
                              compute(&t, first, mlirOperationGetOperand(body.data[i], j)));
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps generics = tt_collect(arena, kernel, "linalg.generic");
  for (intptr_t i = 0; i < generics.n; ++i) tt_take_elements(arena, kernel, generics.data[i]);
  generics = tt_collect(arena, kernel, "linalg.generic");
  for (intptr_t i = 0; i < generics.n; ++i) compute_inside(arena, generics.data[i]);
  if (generics.n > 0) tt_erase_dead(kernel);
  return true;
}

bool tt_run_take_elements(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
