/*===- plain_elements.c - loops over elements without carried numbers and branches --------------===
 *
 *   for %i { %r = for %j iter_args(%s = %z) { yield f(%s) }  g(%r) }
 * = %t = alloc   for %i { store %z, %t[%i]  for %j { store f(load %t[%i]), %t[%i] }
 *                         g(load %t[%i]) }
 *
 *   %a = load %A   store %b, %A             %a = load %A   store %a, %t   store %b, %A
 *   store f(%a), %B                         store f(load %t), %B
 *
 *   if %c { store %x, %A[%i] }              store (select %c, %x, load %A[%i]), %A[%i]
 *   %r = if %c { yield %x } else { yield %y }       %r = select %c, %x, %y
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Analysis/kernel.h"
#include "Analysis/made_of.h"
#include "Transforms/Raise/index_inside.h"

/*===- Small things -------------------------------------------------------------------------===*/

static MlirValue load(TtBuilder *b, MlirLocation loc, MlirValue memref, intptr_t n,
                      const MlirValue *indices) {
  TtOpState s = tt_op_state("memref.load", loc);
  tt_op_state_operand(&s, memref);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, indices[i]);
  tt_op_state_result(&s, mlirShapedTypeGetElementType(mlirValueGetType(memref)));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static void store(TtBuilder *b, MlirLocation loc, MlirValue value, MlirValue memref, intptr_t n,
                  const MlirValue *indices) {
  TtOpState s = tt_op_state("memref.store", loc);
  tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, memref);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, indices[i]);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/*===- Branches ------------------------------------------------------------------------------===*/

/* Whether a branch holds loads, stores, numbers and loops over these only. */
static bool is_flat(MlirBlock block, int depth) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    bool loop = tt_op_is(op, "scf.for") && depth < TT_NEST_LOOPS;
    bool deep = tt_op_is(op, "memref.store") && mlirOperationGetNumOperands(op) - 2 > TT_MAX_RANK;
    if (deep || (!loop && mlirOperationGetNumRegions(op) > 0) ||
        (loop && !is_flat(tt_for_body(op), depth + 1)))
      return false;
  }
  return true;
}

/* A store of a branch becomes a choice between what it stores and what is there. */
static void choose_stored(MlirOperation op, MlirOperation branch, bool otherwise) {
  MlirLocation loc = mlirOperationGetLocation(branch);
  MlirValue indices[TT_MAX_RANK], condition = mlirOperationGetOperand(branch, 0),
                                  value = mlirOperationGetOperand(op, 0),
                                  memref = mlirOperationGetOperand(op, 1);
  intptr_t n = mlirOperationGetNumOperands(op) - 2;
  for (intptr_t i = 0; i < n; ++i) indices[i] = mlirOperationGetOperand(op, i + 2);
  TtBuilder b = tt_builder_before(op);
  MlirValue old = load(&b, loc, memref, n, indices);
  mlirOperationSetOperand(op, 0,
                          otherwise ? tt_select(&b, loc, condition, old, value)
                                    : tt_select(&b, loc, condition, value, old));
}

/* What a branch has goes before it, loops as well, and its stores become choices. */
static void flatten_block(TtArena *arena, MlirOperation branch, MlirBlock block, bool otherwise) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !tt_is_terminator(op);
       op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, branch);
    TtOps stores = {NULL, 0, 0};
    if (tt_op_is(op, "scf.for")) stores = tt_collect(arena, op, "memref.store");
    for (intptr_t i = 0; i < stores.n; ++i) choose_stored(stores.data[i], branch, otherwise);
    if (tt_op_is(op, "memref.store")) choose_stored(op, branch, otherwise);
  }
}

static void flatten(TtArena *arena, MlirOperation branch) {
  MlirBlock blocks[2];
  for (intptr_t i = 0; i < 2; ++i) {
    blocks[i] = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, i));
    if (!mlirBlockIsNull(blocks[i]) && !is_flat(blocks[i], 0)) return;
  }
  for (intptr_t i = 0; i < 2; ++i)
    if (!mlirBlockIsNull(blocks[i])) flatten_block(arena, branch, blocks[i], i == 1);
  TtBuilder b = tt_builder_before(branch);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(branch, i),
        tt_select(&b, mlirOperationGetLocation(branch), mlirOperationGetOperand(branch, 0),
                  mlirOperationGetOperand(mlirBlockGetTerminator(blocks[0]), i),
                  mlirOperationGetOperand(mlirBlockGetTerminator(blocks[1]), i)));
  mlirOperationDestroy(branch);
}

static bool is_inside(const void *loop, MlirOperation op) {
  return !mlirOperationIsNull(tt_ancestor_in(tt_for_body(*(const MlirOperation *)loop), op));
}

/* Whether `value` is an element, or what a loop in `loop` carries or has found. */
static bool is_element(MlirOperation loop, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (!mlirOperationIsNull(op)) return tt_op_is(op, "memref.load") || tt_op_is(op, "scf.for");
  MlirOperation inner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return tt_op_is(inner, "scf.for") && is_inside(&loop, inner) &&
         mlirBlockArgumentGetArgNumber(value) > 0;
}

void tt_open_branches(TtArena *arena, MlirOperation loop) {
  TtOps branches = tt_collect(arena, loop, "scf.if");
  for (intptr_t i = branches.n; i-- > 0;) {
    MlirOperation branch = branches.data[i];
    TtValues of = tt_made_of(arena, mlirOperationGetOperand(branch, 0), is_inside, &loop);
    bool decides = false, stores = tt_collect(arena, branch, "scf.for").n > 0 ||
                                   tt_collect(arena, branch, "memref.store").n > 0;
    for (intptr_t j = 0; j < of.n && !decides; ++j)
      decides = is_element(loop, of.data[j]) || tt_value_eq(of.data[j], tt_for_iv(loop));
    if (decides && stores) flatten(arena, branch);
  }
}

/*===- Carried numbers -----------------------------------------------------------------------===*/

bool tt_is_number(MlirType type) {
  return mlirTypeIsAFloat(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 8);
}

/* A buffer before `top` with an element for each step of the loops of `nest`, in their order. */
static MlirValue buffer_of(const TtNest *nest, MlirType element) {
  TtBuilder b = tt_builder_before(nest->top);
  MlirContext context = b.context;
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(nest->top));
  int64_t shape[TT_NEST_LOOPS];
  int32_t sizes = 0;
  for (intptr_t i = 0; i < nest->n; ++i) {
    shape[i] = nest->extent[i] < 0 ? INT64_MIN : nest->lower[i] + nest->extent[i];
    if (nest->extent[i] < 0) tt_op_state_operand(&s, nest->size[i]), ++sizes;
  }
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){sizes, 0}));
  MlirAttribute space = mlirAttributeParseGet(context, tt_str("#gpu.address_space<private>"));
  tt_op_state_result(&s, mlirMemRefTypeContiguousGet(element, nest->n, shape, space));
  return mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
}

bool tt_carries_numbers(MlirOperation loop) {
  intptr_t n = mlirOperationGetNumResults(loop);
  bool all = n > 0;
  for (intptr_t i = 0; i < n; ++i)
    all &= tt_is_number(mlirValueGetType(mlirOperationGetResult(loop, i)));
  return all;
}

MlirValue tt_buffer_for(const TtNest *nest, MlirValue value) {
  return buffer_of(nest, mlirValueGetType(value));
}

static void indices_of(const TtNest *nest, MlirValue *indices) {
  for (intptr_t i = 0; i < nest->n; ++i) indices[i] = tt_for_iv(nest->loops[i]);
}

MlirValue tt_load_step(const TtNest *nest, TtBuilder *b, MlirValue memref) {
  MlirValue indices[TT_NEST_LOOPS];
  indices_of(nest, indices);
  return load(b, mlirOperationGetLocation(nest->top), memref, nest->n, indices);
}

void tt_store_step(const TtNest *nest, TtBuilder *b, MlirValue value, MlirValue memref) {
  MlirValue indices[TT_NEST_LOOPS];
  indices_of(nest, indices);
  store(b, mlirOperationGetLocation(nest->top), value, memref, nest->n, indices);
}

/* Where number `i` that `loop` carries lies already: it starts with an element, and nothing but a
 * store to that element takes what it ends with. That store, or null. */
static MlirOperation place_of_number(MlirOperation loop, intptr_t i) {
  MlirOperation none = {NULL}, from = tt_defining_op(mlirOperationGetOperand(loop, i + 3));
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(loop, i));
  if (!tt_op_is(from, "memref.load") || mlirOperationGetNumOperands(from) - 1 > TT_MAX_RANK ||
      mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ||
      !mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(loop)))
    return none;
  MlirOperation to = mlirOpOperandGetOwner(use);
  bool same = tt_op_is(to, "memref.store") &&
              mlirBlockEqual(mlirOperationGetBlock(to), mlirOperationGetBlock(loop));
  for (intptr_t j = 0; same && j < mlirOperationGetNumOperands(from); ++j)
    same = tt_value_eq(mlirOperationGetOperand(from, j), mlirOperationGetOperand(to, j + 1));
  MlirValue memref = mlirOperationGetOperand(from, 0);
  for (use = mlirValueGetFirstUse(memref); same && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) { /* nobody else sees it between the two */
    MlirOperation user = mlirOpOperandGetOwner(use),
                  at = tt_ancestor_in(mlirOperationGetBlock(loop), user);
    same = tt_op_eq(user, from) || tt_op_eq(user, to) || mlirOperationIsNull(at) ||
           tt_is_before(at, from) || tt_is_before(to, at);
  }
  return same ? to : none;
}

/* Whether `value` is made of `arg`, an argument of `body`, in that; what was `seen` is not. */
static bool is_of_arg(TtArena *arena, MlirValue value, MlirValue arg, MlirBlock body,
                      TtOpMap *seen) {
  if (tt_value_eq(value, arg)) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || tt_op_map_get(seen, op) >= 0 ||
      mlirOperationIsNull(tt_ancestor_in(body, op)))
    return false;
  tt_op_map_set(arena, seen, op, 1);
  TtOps inner = tt_collect(arena, op, NULL);
  tt_ops_add(arena, &inner, op);
  for (intptr_t i = 0; i < inner.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(inner.data[i]); ++j)
      if (is_of_arg(arena, mlirOperationGetOperand(inner.data[i], j), arg, body, seen)) return true;
  return false;
}

/* The numbers that `loop` carries, in an order in which each may be stored: what is made of the old
 * value of one comes before that. The last ones wait for each other where that cannot be. */
static void order_numbers(TtArena *arena, MlirOperation loop, intptr_t n, intptr_t *order) {
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < n; ++i) order[i] = i;
  for (intptr_t done = 0; done < n; ++done)
    for (intptr_t i = done; i < n; ++i) {
      bool needed = false;
      for (intptr_t j = done; j < n; ++j) {
        TtOpMap seen = {NULL, 0, 0};
        needed |= j != i && is_of_arg(arena, mlirOperationGetOperand(yield, order[j]),
                                      mlirBlockGetArgument(body, order[i] + 1), body, &seen);
      }
      if (needed) continue;
      intptr_t next = order[i];
      for (intptr_t j = i; j > done; --j) order[j] = order[j - 1];
      order[done] = next;
      break;
    }
}

MlirOperation tt_keep_in_buffers(TtArena *arena, MlirOperation top, MlirOperation loop) {
  TtNest nest = {.arena = arena, .top = top};
  MlirLocation loc = mlirOperationGetLocation(loop);
  intptr_t n = mlirOperationGetNumResults(loop);
  if (!tt_carries_numbers(loop) ||
      (!tt_op_eq(loop, top) && tt_nest_around(arena, top, loop, &nest)))
    return loop;
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  TtBuilder before = tt_builder_before(loop), after = tt_builder_after(loop),
            first = tt_builder_at_start(body), last = tt_builder_before(yield);
  MlirValue indices[TT_NEST_LOOPS];
  indices_of(&nest, indices);
  TtOpState s = tt_op_state("scf.for", loc), y = tt_op_state("scf.yield", loc);
  for (intptr_t i = 0; i < 3; ++i) tt_op_state_operand(&s, mlirOperationGetOperand(loop, i));
  intptr_t *order = tt_arena_alloc(arena, (size_t)n * sizeof *order);
  order_numbers(arena, loop, n, order);
  for (intptr_t at = 0; at < n; ++at) {
    intptr_t i = order[at];
    MlirValue result = mlirOperationGetResult(loop, i), arg = mlirBlockGetArgument(body, i + 1),
              own[TT_MAX_RANK];
    MlirOperation place = place_of_number(loop, i);
    if (!mlirOperationIsNull(place)) {
      intptr_t rank = mlirOperationGetNumOperands(place) - 2;
      MlirValue memref = mlirOperationGetOperand(place, 1);
      for (intptr_t d = 0; d < rank; ++d) own[d] = mlirOperationGetOperand(place, d + 2);
      mlirValueReplaceAllUsesOfWith(arg, load(&first, loc, memref, rank, own));
      store(&last, loc, mlirOperationGetOperand(yield, i), memref, rank, own);
      mlirOperationDestroy(place);
      continue;
    }
    MlirValue memref = buffer_of(&nest, mlirValueGetType(result));
    store(&before, loc, mlirOperationGetOperand(loop, i + 3), memref, nest.n, indices);
    mlirValueReplaceAllUsesOfWith(arg, load(&first, loc, memref, nest.n, indices));
    store(&last, loc, mlirOperationGetOperand(yield, i), memref, nest.n, indices);
    mlirValueReplaceAllUsesOfWith(result, load(&after, loc, memref, nest.n, indices));
  }
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation made = tt_builder_insert(&before, tt_op_state_finish(&s));
  mlirRegionTakeBody(mlirOperationGetRegion(made, 0), mlirOperationGetRegion(loop, 0));
  tt_builder_insert(&last, tt_op_state_finish(&y));
  mlirOperationDestroy(yield);
  for (intptr_t i = n; i-- > 0;) mlirBlockEraseArgument(tt_for_body(made), (unsigned)(i + 1));
  mlirOperationDestroy(loop);
  return made;
}

/*===- Values that are stored ----------------------------------------------------------------===*/

static bool is_in_block(const void *block, MlirOperation op) {
  return mlirBlockEqual(mlirOperationGetBlock(op), *(const MlirBlock *)block);
}

/* Whether `value` is made of what `block` loads of `memref`. */
static bool is_made_of(TtArena *arena, MlirValue value, MlirValue memref, MlirBlock block) {
  TtValues all = tt_made_of(arena, value, is_in_block, &block);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (tt_op_is(op, "memref.load") && is_in_block(&block, op) &&
        tt_value_eq(mlirOperationGetOperand(op, 0), memref))
      return true;
  }
  return false;
}

/* What is made of an element and stored there is read from there by what comes after: each store
 * becomes an op of its own, which sees the element as it is by then. */
static void read_back(TtArena *arena, MlirOperation op) {
  MlirValue value = mlirOperationGetOperand(op, 0), memref = mlirOperationGetOperand(op, 1),
            indices[TT_MAX_RANK], old = {NULL};
  MlirBlock block = mlirOperationGetBlock(op);
  intptr_t n = mlirOperationGetNumOperands(op) - 2;
  if (n > TT_MAX_RANK || !is_made_of(arena, value, memref, block)) return;
  for (intptr_t i = 0; i < n; ++i) indices[i] = mlirOperationGetOperand(op, i + 2);
  for (MlirOperation later = tt_next(op); !mlirOperationIsNull(later); later = tt_next(later)) {
    if (tt_op_is(later, "memref.store") && tt_value_eq(mlirOperationGetOperand(later, 1), memref))
      return;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(later); ++i) {
      if (!tt_value_eq(mlirOperationGetOperand(later, i), value)) continue;
      TtBuilder b = tt_builder_after(op);
      if (tt_is_null_value(old)) old = load(&b, mlirOperationGetLocation(op), memref, n, indices);
      mlirOperationSetOperand(later, i, old);
    }
  }
}

/* Whether what `load` reads is overwritten behind it, in its block or in loops there, before a
 * store of something that is made of it. */
static bool is_overwritten(TtArena *arena, MlirOperation load) {
  bool overwritten = false;
  for (MlirOperation op = tt_next(load); !mlirOperationIsNull(op); op = tt_next(op)) {
    TtOps stores = tt_collect(arena, op, "memref.store");
    if (tt_op_is(op, "memref.store")) tt_ops_add(arena, &stores, op);
    for (intptr_t i = 0; i < stores.n; ++i) {
      MlirOperation store = stores.data[i];
      if (overwritten &&
          tt_is_made_of(arena, mlirOperationGetOperand(store, 0), mlirOperationGetResult(load, 0)))
        return true;
      overwritten |=
          tt_value_eq(mlirOperationGetOperand(store, 1), mlirOperationGetOperand(load, 0));
    }
  }
  return false;
}

/* An element that is overwritten before the last store that is made of it waits in a buffer. */
static void save_old(TtArena *arena, MlirOperation top, MlirOperation old) {
  TtNest nest;
  MlirValue value = mlirOperationGetResult(old, 0);
  if (!tt_is_number(mlirValueGetType(value)) || !is_overwritten(arena, old) ||
      tt_nest_around(arena, top, old, &nest))
    return;
  TtBuilder b = tt_builder_after(old);
  MlirValue buffer = tt_buffer_for(&nest, value);
  MlirValue again = tt_load_step(&nest, &b, buffer);
  mlirValueReplaceAllUsesOfWith(value, again);
  b = tt_builder_after(old);
  tt_store_step(&nest, &b, value, buffer);
}

/* A load that a branch keeps inside of its tensor, at an index that a list gives, is done whether
 * the branch is taken or not: then at some place that is there. */
static void keep_inside(TtArena *arena, MlirOperation top, MlirOperation load) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0));
  bool branch = false;
  for (MlirOperation p = tt_parent(load); !mlirOperationIsNull(p) && !tt_op_eq(p, top);
       p = tt_parent(p))
    branch |= tt_op_is(p, "scf.if");
  for (intptr_t d = 0; branch && d < mlirShapedTypeGetRank(type); ++d) {
    MlirValue index = mlirOperationGetOperand(load, d + 1);
    TtIndexRange range;
    if (mlirShapedTypeIsDynamicDim(type, d) || !tt_is_loaded(index) ||
        !tt_index_range(arena, index, &range))
      continue;
    int64_t last = mlirShapedTypeGetDimSize(type, d) - 1;
    TtBuilder b = tt_builder_after(tt_defining_op(index));
    MlirLocation loc = mlirOperationGetLocation(load);
    mlirOperationSetOperand(load, d + 1, tt_index_inside(&b, loc, index, range, last));
  }
}

MlirOperation tt_plain_elements(TtArena *arena, MlirOperation top) {
  TtOps guarded = tt_collect(arena, top, "memref.load");
  for (intptr_t i = 0; i < guarded.n; ++i) keep_inside(arena, top, guarded.data[i]);
  TtOps branches = tt_collect(arena, top, "scf.if");
  for (intptr_t i = branches.n; i-- > 0;) flatten(arena, branches.data[i]);
  top = tt_keep_in_buffers(arena, top, top);
  TtOps loops = tt_collect(arena, top, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i) tt_keep_in_buffers(arena, top, loops.data[i]);
  TtOps stores = tt_collect(arena, top, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i) read_back(arena, stores.data[i]);
  TtOps loads = tt_collect(arena, top, "memref.load");
  for (intptr_t i = 0; i < loads.n; ++i) save_old(arena, top, loads.data[i]);
  tt_part_terms(arena, top);
  return top;
}
