/*===- element_place.c - where loads and stores in a nest of loops go --------------------------===
 *
 *   for %i = 0 to 32 { for %k = 0 to 4 { … load %X[%b, %i * 2 + %k] … } }
 * = the view %X[%b, 0] [1, 66], of which a step takes (i, k) -> (i * 2 + k)
 *
 * Where an index follows one loop, its factor is the stride of the view.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"
#include "Analysis/made_of.h"
#include "Support/value_map.h"

#include <stdlib.h>

/*===- Loops and places ----------------------------------------------------------------------===*/

bool tt_is_of_nest(const TtNest *nest, MlirValue value) {
  return tt_is_defined_in(nest->top, value);
}

const char *tt_nest_around(TtArena *arena, MlirOperation top, MlirOperation op, TtNest *nest) {
  *nest = (TtNest){.arena = arena, .top = top};
  TtOps around = {NULL, 0, 0};
  for (MlirOperation p = tt_parent(op);; p = tt_parent(p)) {
    tt_ops_add(arena, &around, p);
    if (tt_op_eq(p, top)) break;
  }
  if (around.n > TT_NEST_LOOPS) return "there are too many loops in each other";
  for (intptr_t i = around.n; i-- > 0;) {
    MlirOperation loop = around.data[i];
    int64_t upper, step;
    intptr_t at = nest->n++;
    if (!tt_op_is(loop, "scf.for")) return "something other than a counted loop is around a store";
    nest->loops[at] = loop;
    MlirValue end = mlirOperationGetOperand(loop, 1);
    if (!tt_constant(mlirOperationGetOperand(loop, 0), &nest->lower[at]))
      return "a loop starts at no constant";
    if (!tt_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1)
      return "a loop does not go on by 1";
    nest->size[at] = (MlirValue){NULL};
    if (tt_constant(end, &upper)) {
      if (upper <= nest->lower[at]) return "a loop has no step";
      if (__builtin_sub_overflow(upper, nest->lower[at], &nest->extent[at]))
        return "a loop has more steps than a number can say";
    } else if (nest->lower[at] != 0 || tt_is_of_nest(nest, end)) {
      return "the size of a loop changes";
    } else {
      nest->extent[at] = -1, nest->size[at] = end;
    }
  }
  return NULL;
}

/* Dimension `d` of a load (store) is its index there. */
static MlirValue index_at(MlirOperation op, intptr_t d) {
  return mlirOperationGetOperand(op, d + 1 + tt_op_is(op, "memref.store"));
}

const char *tt_element_of(const TtNest *nest, MlirOperation op, TtElement *e) {
  *e = (TtElement){.op = op, .memref = mlirOperationGetOperand(op, tt_op_is(op, "memref.store"))};
  e->rank = mlirShapedTypeGetRank(mlirValueGetType(e->memref));
  if (e->rank > TT_MAX_RANK) return "a tensor has too many dimensions";
  if (tt_is_of_nest(nest, e->memref)) return "a buffer or view is made inside of the loops";
  bool used[TT_NEST_LOOPS] = {false}, store = tt_op_is(op, "memref.store");
  for (intptr_t d = 0; d < e->rank; ++d) {
    bool any_length = false;
    for (intptr_t i = 0, n = 0; i < nest->n; ++i) {
      int64_t *factor = &e->factor[d][i];
      if (!tt_index_factor(nest->arena, index_at(op, d), tt_for_iv(nest->loops[i]), factor))
        return "an index is no sum of loop variables; split a loop where its index goes around, "
               "compute indices from integers";
      if (*factor == 0) continue;
      if (*factor < 0 && !nest->any_way) return "an index goes backwards";
      if (used[i])
        return store ? "two dimensions of a store follow one loop variable, as on a diagonal; "
                       "store all of the block in two loops, a choice by %i == %j"
                     : "two dimensions follow one loop variable";
      if (*factor != 1 && nest->extent[i] < 0)
        return "an index of a loop of any length has a factor";
      if (++n > 1 && store) return "an index of a store is a sum of two loop variables";
      any_length |= nest->extent[i] < 0;
      if (n > 1 && any_length) return "an index is a sum of a loop of any length and another one";
      used[i] = true;
    }
  }
  return NULL;
}

int tt_only_loop(const TtElement *e, intptr_t d) {
  int only = -1;
  for (int i = 0; i < TT_NEST_LOOPS; ++i)
    if (e->factor[d][i] != 0) only = only < 0 ? i : TT_SEVERAL_LOOPS;
  return only;
}

bool tt_runs_along(const TtElement *e, int loop) {
  for (intptr_t d = 0; d < e->rank; ++d)
    if (e->factor[d][loop] != 0) return true;
  return false;
}

bool tt_same_loops(const TtElement *a, const TtElement *b) {
  int in[TT_MAX_RANK], out[TT_MAX_RANK];
  intptr_t n = 0, k = 0;
  for (intptr_t d = 0; d < a->rank; ++d)
    if (tt_only_loop(a, d) != -1) in[n++] = tt_only_loop(a, d);
  for (intptr_t d = 0; d < b->rank; ++d)
    if (tt_only_loop(b, d) != -1) out[k++] = tt_only_loop(b, d);
  bool same = n == k;
  for (intptr_t i = 0; same && i < n; ++i) same = in[i] == out[i] && in[i] != TT_SEVERAL_LOOPS;
  return same;
}

bool tt_same_element(const TtNest *nest, const TtElement *a, const TtElement *b) {
  if (!tt_value_eq(a->memref, b->memref)) return false;
  for (intptr_t d = 0; d < a->rank; ++d)
    if (!tt_same_index(nest->arena, index_at(a->op, d), index_at(b->op, d))) return false;
  return true;
}

bool tt_never_meet(const TtNest *nest, const TtElement *a, const TtElement *b) {
  for (intptr_t d = 0; d < a->rank; ++d) {
    int loop = tt_only_loop(a, d);
    int64_t apart;
    if (loop == TT_SEVERAL_LOOPS || loop != tt_only_loop(b, d) ||
        !tt_index_difference(nest->arena, index_at(a->op, d), index_at(b->op, d), &apart))
      continue;
    if (loop < 0 && apart != 0) return true;
    if (loop < 0) continue;
    int64_t factor = a->factor[d][loop];
    bool past = nest->extent[loop] > 0 && llabs(apart) >= factor * nest->extent[loop];
    if (factor == b->factor[d][loop] && (apart % factor != 0 || past)) return true;
  }
  return false;
}

bool tt_moves_alike(const TtNest *nest, const TtElement *a, const TtElement *b, int loop) {
  for (intptr_t d = 0; d < a->rank; ++d)
    if (tt_only_loop(a, d) == loop && tt_only_loop(b, d) == loop &&
        tt_same_index(nest->arena, index_at(a->op, d), index_at(b->op, d)))
      return true;
  return false;
}

int tt_loop_of(const TtNest *nest, MlirValue value) {
  for (int i = 0; i < nest->n; ++i)
    if (tt_value_eq(tt_for_iv(nest->loops[i]), value)) return i;
  return -1;
}

/* What goes before a nest: each value once, however many take it. */
typedef struct Moved {
  const TtNest *nest;
  TtBuilder *b;
  TtValueMap known; /* of values in the nest: their place in `values` */
  TtValues values;
} Moved;

static MlirValue first_value(Moved *m, MlirValue value);

/* The op of `value`, with operands from before the nest. */
static MlirValue moved(Moved *m, MlirValue value) {
  MlirOperation op = tt_defining_op(value), copy = mlirOperationClone(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, first_value(m, mlirOperationGetOperand(op, i)));
  if (tt_op_is(op, "arith.addi") && mlirTypeIsAIndex(mlirValueGetType(value))) {
    MlirValue x = mlirOperationGetOperand(copy, 0), y = mlirOperationGetOperand(copy, 1);
    mlirOperationDestroy(copy);
    return tt_add(m->b, loc, x, y);
  }
  return mlirOperationGetResult(tt_builder_insert(m->b, copy), 0);
}

/* Index `value` before the nest, in the first step of all loops. */
static MlirValue first_value(Moved *m, MlirValue value) {
  int loop = tt_loop_of(m->nest, value), at = tt_value_map_get(&m->known, value);
  if (loop >= 0)
    return tt_index(m->b, mlirOperationGetLocation(m->nest->top), m->nest->lower[loop]);
  if (!tt_is_of_nest(m->nest, value)) return value;
  if (at >= 0) return m->values.data[at];
  MlirValue first = moved(m, value);
  tt_value_map_set(m->nest->arena, &m->known, value, (int)m->values.n);
  tt_values_add(m->nest->arena, &m->values, first);
  return first;
}

/*===- Views ----------------------------------------------------------------------------------===*/

/* How many elements of dimension `d` a view has. */
static int64_t size_of(const TtNest *nest, const TtElement *e, intptr_t d) {
  int only = tt_only_loop(e, d);
  if (only >= 0) return nest->extent[only] < 0 ? INT64_MIN : nest->extent[only];
  int64_t size = 1;
  for (int i = 0; i < nest->n && only == TT_SEVERAL_LOOPS; ++i)
    size += e->factor[d][i] * (nest->extent[i] - 1);
  return size;
}

/* An equal view before `view` in its block, instead of it: ops on one block see that it is one. */
static MlirValue known_view(TtArena *arena, MlirOperation view) {
  static const char *const sizes[] = {"static_offsets", "static_sizes", "static_strides"};
  intptr_t n = mlirOperationGetNumOperands(view);
  MlirValue own = mlirOperationGetResult(view, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(view));
       !tt_op_eq(op, view); op = tt_next(op)) {
    bool same =
        tt_op_is(op, "memref.subview") && mlirOperationGetNumOperands(op) == n &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), mlirValueGetType(own));
    for (int i = 0; same && i < 3; ++i)
      same = mlirAttributeEqual(tt_op_attr(op, sizes[i]), tt_op_attr(view, sizes[i]));
    for (intptr_t i = 0; same && i < n; ++i) {
      MlirValue a = mlirOperationGetOperand(op, i), b = mlirOperationGetOperand(view, i);
      same = tt_value_eq(a, b) || (i > 0 && tt_same_index(arena, a, b));
    }
    if (!same) continue;
    mlirOperationDestroy(view);
    return mlirOperationGetResult(op, 0);
  }
  return own;
}

/* at + a * b, which goes around as MLIR's does: an index of a loop without steps is any number. */
static int64_t plus_product(int64_t at, int64_t a, int64_t b) {
  return (int64_t)((uint64_t)at + (uint64_t)a * (uint64_t)b);
}

MlirValue tt_view_of(const TtNest *nest, TtBuilder *b, const TtElement *e) {
  MlirType type = mlirValueGetType(e->memref);
  MlirLocation loc = mlirOperationGetLocation(e->op);
  int64_t offsets[TT_MAX_RANK], sizes[TT_MAX_RANK], steps[TT_MAX_RANK], kept[TT_MAX_RANK], offset;
  MlirValue starts[TT_MAX_RANK], lengths[TT_MAX_RANK];
  intptr_t rank = 0;
  bool whole = true;
  int32_t segments[4] = {1, 0, 0, 0};
  Moved starting = {.nest = nest, .b = b};
  for (intptr_t d = 0; d < e->rank; ++d) {
    int loop = tt_only_loop(e, d);
    starts[d] = first_value(&starting, index_at(e->op, d));
    offsets[d] = tt_constant(starts[d], &offset) ? offset : INT64_MIN;
    steps[d] = loop >= 0 ? e->factor[d][loop] : 1, sizes[d] = size_of(nest, e, d);
    lengths[d] = loop >= 0 ? nest->size[loop] : (MlirValue){NULL};
    if (loop != -1) kept[rank++] = sizes[d];
    whole &= offsets[d] == 0 && loop != -1 && steps[d] == 1 && sizes[d] != INT64_MIN &&
             sizes[d] == mlirShapedTypeGetDimSize(type, d);
  }
  if (whole) return e->memref;
  TtOpState s = tt_op_state("memref.subview", loc);
  tt_op_state_operand(&s, e->memref);
  for (intptr_t d = 0; d < e->rank; ++d)
    if (offsets[d] == INT64_MIN) tt_op_state_operand(&s, starts[d]), ++segments[1];
  for (intptr_t d = 0; d < e->rank; ++d)
    if (sizes[d] == INT64_MIN) tt_op_state_operand(&s, lengths[d]), ++segments[2];
  tt_op_state_attr(&s, b->context, "static_offsets",
                   mlirDenseI64ArrayGet(b->context, e->rank, offsets));
  tt_op_state_attr(&s, b->context, "static_sizes",
                   mlirDenseI64ArrayGet(b->context, e->rank, sizes));
  tt_op_state_attr(&s, b->context, "static_strides",
                   mlirDenseI64ArrayGet(b->context, e->rank, steps));
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 4, segments));
  /* The layout: strides of what is kept, and where it starts. */
  int64_t all[TT_MAX_RANK], strides[TT_MAX_RANK], start, at = 0;
  mlirMemRefTypeGetStridesAndOffset(type, all, &start);
  for (intptr_t d = 0, i = 0; d < e->rank; ++d) {
    bool known =
        at != INT64_MIN && start != INT64_MIN && offsets[d] != INT64_MIN && all[d] != INT64_MIN;
    at = known ? plus_product(at, offsets[d], all[d]) : offsets[d] == 0 ? at : INT64_MIN;
    if (tt_only_loop(e, d) != -1)
      strides[i++] = all[d] == INT64_MIN ? INT64_MIN : plus_product(0, all[d], steps[d]);
  }
  if (at != INT64_MIN) at = start == INT64_MIN ? INT64_MIN : plus_product(at, start, 1);
  tt_op_state_result(&s, mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, kept,
                                           mlirStridedLayoutAttrGet(b->context, at, rank, strides),
                                           mlirMemRefTypeGetMemorySpace(type)));
  return known_view(nest->arena, tt_builder_insert(b, tt_op_state_finish(&s)));
}

MlirAttribute tt_map_of(const TtNest *nest, MlirContext context, const TtElement *e) {
  MlirAffineExpr results[TT_MAX_RANK];
  intptr_t n = 0;
  for (intptr_t d = 0; d < e->rank; ++d) {
    int only = tt_only_loop(e, d);
    if (only == -1) continue;
    MlirAffineExpr sum = mlirAffineConstantExprGet(context, 0);
    for (int i = 0; i < nest->n; ++i) {
      MlirAffineExpr dim = mlirAffineDimExprGet(context, i);
      if (e->factor[d][i] != 0 && only == TT_SEVERAL_LOOPS)
        dim = mlirAffineMulExprGet(dim, mlirAffineConstantExprGet(context, e->factor[d][i]));
      if (e->factor[d][i] != 0) sum = mlirAffineAddExprGet(sum, dim);
    }
    results[n++] = sum;
  }
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, nest->n, 0, n, results));
}
