/*===- raise_scalars.c - --tt-raise-scalars -------------------------------------------------===
 *
 * Numbers that a core computes and stores between its ops on blocks become ops on buffers of one
 * element.
 *
 *   before  %s = memref.load %sum[] : memref<f32, …>       after  %b = memref.alloc() : memref<f32>
 *           %m = arith.divf %s, %n : f32                          linalg.generic outs(%b) {
 *           linalg.generic … { … arith.subf %x, %m … }              … arith.divf … }
 *                                                                 %m = memref.load %b[]
 *                                                                 linalg.generic … %m …
 *
 *   before  memref.store %x, %S[%h] : memref<8xf32>
 *   after   %v = memref.subview %S[%h] [1] [1] : memref<8xf32> to memref<f32, …>
 *           linalg.fill ins(%x : f32) outs(%v : memref<f32, …>)
 *
 * What the new bodies load, --tt-take-elements makes operands. Requires that loops over elements
 * have been raised.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/elements.h"
#include "Transforms/Raise/slices.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

/* What computes numbers from numbers. */
static bool computes(MlirOperation op) {
  if (mlirOperationIsNull(op) || tt_op_is(op, "arith.constant")) return false;
  MlirStringRef name = tt_op_name(op);
  bool known = name.length > 6 &&
               (memcmp(name.data, "arith.", 6) == 0 || memcmp(name.data, "math.", 5) == 0);
  return known && mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumResults(op) == 1;
}

static MlirValue buffer_of(MlirOperation load) {
  MlirValue root = tt_view_root(mlirOperationGetOperand(load, 0));
  return tt_op_is(tt_defining_op(root), "memref.alloc") ? root : (MlirValue){NULL};
}

/*===- Whether a load is current -------------------------------------------------------------===*/

/* The first operand of `op` that it may write to. */
static intptr_t first_written(MlirOperation op) {
  bool looks = tt_op_is(op, "memref.load") || tt_op_is(op, "memref.subview");
  if (looks) return mlirOperationGetNumOperands(op);
  return tt_is_linalg(op) ? tt_linalg_num_inputs(op) : tt_op_is(op, "memref.copy");
}

/* Whether `op`, or what is in it, may write to `buffer`. */
static bool writes_to(TtArena *arena, MlirOperation op, MlirValue buffer) {
  TtOps all = tt_collect(arena, op, NULL);
  tt_ops_add(arena, &all, op);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation inner = all.data[i];
    for (intptr_t j = first_written(inner); j < mlirOperationGetNumOperands(inner); ++j) {
      MlirValue operand = mlirOperationGetOperand(inner, j);
      if (mlirTypeIsAMemRef(mlirValueGetType(operand)) &&
          tt_value_eq(tt_view_root(operand), buffer))
        return true;
    }
  }
  return false;
}

bool tt_is_current(TtArena *arena, MlirOperation load, MlirOperation at) {
  MlirValue buffer = tt_view_root(mlirOperationGetOperand(load, 0));
  MlirOperation end = tt_ancestor_in(mlirOperationGetBlock(load), at);
  for (MlirOperation op = tt_next(load); !mlirOperationIsNull(op); op = tt_next(op)) {
    bool last = tt_op_eq(op, end);
    if (last && (tt_op_eq(end, at) || tt_is_linalg(end))) return true;
    if (writes_to(arena, op, buffer)) return false;
    if (last) return true;
  }
  return false;
}

/*===- Ops of one element --------------------------------------------------------------------===*/

/* Copies of what computes a number, in the body that `in` builds. */
typedef struct Copies {
  TtArena *arena;
  TtBuilder in;
  TtValueMap known; /* the place of a value's copy in `made` */
  TtValues made;
} Copies;

/* `value` in the body: what computes it is there as well, up to loads. */
static MlirValue sink(Copies *c, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (!computes(op) || mlirTypeIsAIndex(mlirValueGetType(value))) return value;
  int known = tt_value_map_get(&c->known, value);
  if (known >= 0) return c->made.data[known];
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, sink(c, mlirOperationGetOperand(op, i)));
  MlirValue made = mlirOperationGetResult(tt_builder_insert(&c->in, copy), 0);
  tt_value_map_set(c->arena, &c->known, value, (int)c->made.n);
  tt_values_add(c->arena, &c->made, made);
  return made;
}

static bool is_given(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return mlirOperationIsNull(op) || tt_op_is(op, "arith.constant");
}

/* linalg.fill, or a linalg.generic, that makes all elements of `out` `value`. */
static void set_elements(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                         MlirValue out) {
  bool fills = is_given(value);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(out));
  TtOpState s = tt_op_state(fills ? "linalg.fill" : "linalg.generic", loc);
  MlirRegion region = mlirRegionCreate();
  if (fills) tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, out);
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){fills, 1}));
  if (!fills) {
    MlirType type = mlirValueGetType(value);
    MlirAttribute map = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(b->context, rank)),
                  kinds[TT_MAX_RANK];
    for (intptr_t d = 0; d < rank; ++d)
      kinds[d] = mlirAttributeParseGet(b->context, tt_str("#linalg.iterator_type<parallel>"));
    mlirRegionAppendOwnedBlock(region, mlirBlockCreate(1, &type, &loc));
    tt_op_state_attr(&s, b->context, "indexing_maps", mlirArrayAttrGet(b->context, 1, &map));
    tt_op_state_attr(&s, b->context, "iterator_types", mlirArrayAttrGet(b->context, rank, kinds));
  }
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation made = tt_builder_insert(b, tt_op_state_finish(&s));
  if (fills) {
    mlirLinalgFillBuiltinNamedOpRegion(made);
    return;
  }
  Copies copies = {.arena = arena, .in = tt_builder_at_end(tt_body(made))};
  TtOpState yield = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&yield, sink(&copies, value));
  tt_builder_insert(&copies.in, tt_op_state_finish(&yield));
}

/* What a load or store touches, as a view without dimensions. */
MlirValue tt_element_view(TtBuilder *b, MlirOperation op) {
  intptr_t first = tt_op_is(op, "memref.store");
  MlirValue memref = mlirOperationGetOperand(op, first);
  TtTake takes[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(memref));
  if (rank == 0 || rank > TT_MAX_RANK) return memref;
  for (intptr_t d = 0; d < rank; ++d)
    takes[d] = (TtTake){false, mlirOperationGetOperand(op, first + 1 + d)};
  return tt_slice(b, mlirOperationGetLocation(op), memref, takes);
}

/*===- Values that ops take -------------------------------------------------------------------===*/

/* Keeps `value` in a buffer from where it is computed on; others load it from there. */
static void keep(TtArena *arena, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_after(op);
  TtOpState alloc = tt_op_state("memref.alloc", loc), load = tt_op_state("memref.load", loc);
  tt_op_state_attr(&alloc, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){0, 0}));
  tt_op_state_result(&alloc,
                     mlirMemRefTypeContiguousGet(
                         mlirValueGetType(value), 0, NULL,
                         mlirAttributeParseGet(b.context, tt_str("#gpu.address_space<private>"))));
  MlirValue buffer = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&alloc)), 0);
  tt_op_state_operand(&load, buffer);
  tt_op_state_result(&load, mlirValueGetType(value));
  MlirOperation loaded = tt_builder_insert(&b, tt_op_state_finish(&load));
  mlirValueReplaceAllUsesOfWith(value, mlirOperationGetResult(loaded, 0));
  TtBuilder before = tt_builder_before(loaded);
  set_elements(arena, &before, loc, value, buffer);
}

static bool is_number(MlirType type) {
  return mlirTypeIsAFloat(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 8);
}

static bool goes_on(const void *none, MlirOperation op) {
  (void)none;
  return computes(op);
}

/* Whether `value` is made of elements of the core's buffers. */
static bool is_of_buffers(TtArena *arena, MlirValue value) {
  TtValues all = tt_made_of(arena, value, goes_on, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (tt_op_is(op, "memref.load") && !tt_is_null_value(buffer_of(op))) return true;
  }
  return false;
}

/* Keeps the loads that `value`, used by `user`, is made of and that are no longer current then. */
static void keep_old_loads(TtArena *arena, MlirValue value, MlirOperation user) {
  TtValues all = tt_made_of(arena, value, goes_on, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (tt_op_is(op, "memref.load") && is_number(mlirValueGetType(all.data[i])) &&
        !tt_is_current(arena, op, user))
      keep(arena, all.data[i]);
  }
}

static bool is_no_number(const void *none, MlirOperation op) {
  return goes_on(none, op) && !is_number(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* Keeps what a body takes of numbers that the core computes. */
static void keep_taken(TtArena *arena, MlirValue value) {
  TtValues all = tt_made_of(arena, value, is_no_number, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (!computes(op) || !is_number(mlirValueGetType(all.data[i])) ||
        !is_of_buffers(arena, all.data[i]))
      continue;
    keep_old_loads(arena, all.data[i], op);
    keep(arena, all.data[i]);
  }
}

static void keep_of_body(TtArena *arena, MlirOperation linalg) {
  TtOps body = tt_collect(arena, linalg, NULL);
  if (body.n == 0) return;
  Copies copies = {.arena = arena, .in = tt_builder_at_start(tt_body(linalg))};
  for (intptr_t i = 0; i < body.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(body.data[i]); ++j) {
      MlirValue value = mlirOperationGetOperand(body.data[i], j);
      MlirOperation from = tt_defining_op(value);
      if (mlirOperationIsNull(from) || !mlirOperationIsNull(tt_ancestor_in(tt_body(linalg), from)))
        continue;
      keep_taken(arena, value);
      value = mlirOperationGetOperand(body.data[i], j);
      keep_old_loads(arena, value, linalg);
      value = mlirOperationGetOperand(body.data[i], j); /* it may be kept now */
      /* What arguments and sizes make, ops on blocks compute by themselves. */
      if (is_number(mlirValueGetType(value)))
        mlirOperationSetOperand(body.data[i], j, sink(&copies, value));
    }
}

static void raise_store(TtArena *arena, MlirOperation store) {
  MlirValue value = mlirOperationGetOperand(store, 0);
  if (!is_number(mlirValueGetType(value)) || mlirOperationGetNumOperands(store) - 2 > TT_MAX_RANK)
    return;
  keep_old_loads(arena, value, store);
  TtBuilder b = tt_builder_before(store);
  set_elements(arena, &b, mlirOperationGetLocation(store), mlirOperationGetOperand(store, 0),
               tt_element_view(&b, store));
  mlirOperationDestroy(store);
}

/* A fill with a number that the core computes is a map. */
static void spread_fill(TtArena *arena, MlirOperation fill) {
  MlirValue value = mlirOperationGetOperand(fill, 0), out = mlirOperationGetOperand(fill, 1);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(out));
  if (is_given(value) || mlirOperationGetNumResults(fill) > 0 ||
      !mlirTypeEqual(mlirValueGetType(value), element) ||
      mlirShapedTypeGetRank(mlirValueGetType(out)) > TT_MAX_RANK)
    return;
  TtBuilder b = tt_builder_before(fill);
  set_elements(arena, &b, mlirOperationGetLocation(fill), value, out);
  mlirOperationDestroy(fill);
}

static bool is_in_body(MlirOperation op) {
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p))
    if (tt_is_linalg(p)) return true;
  return false;
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps fills = tt_collect(arena, kernel, "linalg.fill");
  for (intptr_t i = 0; i < fills.n; ++i) spread_fill(arena, fills.data[i]);
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_is_linalg(all.data[i])) keep_of_body(arena, all.data[i]);
  TtOps stores = tt_collect(arena, kernel, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i)
    if (!is_in_body(stores.data[i])) raise_store(arena, stores.data[i]);
  return true;
}

bool tt_run_raise_scalars(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
