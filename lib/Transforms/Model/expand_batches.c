/*===- expand_batches.c - --tt-expand-batches ------------------------------------------------===
 *
 * Loops over dimensions that were collapsed become loops over what they were, where the parts are
 * no whole tiles of a matrix: batches and heads stay dimensions of their own from one op to the
 * next, and collapse_shape moves down to where somebody needs it.
 *
 *   before  %c = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x4x64x32xbf16> into
 * tensor<8x64x32xbf16> %s = linalg.generic {(b, i, j) -> …} ins(%c) … -> tensor<8x64x32xf32> after
 *  %e = linalg.generic {(b, h, i, j) -> …} ins(%q) … -> tensor<2x4x64x32xf32> %s =
 * tensor.collapse_shape %e [[0, 1], [2], [3]]
 *
 * The last dimension of a matrix stays as it is: heads side by side are columns of one matrix. So
 * do rows whose parts are whole tiles. A vector is no matrix of its parts: who gives one that is
 * expanded, or takes one that was collapsed, goes over the parts.
 *
 * One of the parts may be open, as a batch of heads, where the parts are no rows of a matrix.
 *
 * Requires --tt-drop-unit-dims.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/AffineExpr.h"

/* A loop and the sizes of those that take its place; `open`: that which only a run knows, or null.
 */
typedef struct Expansion {
  int64_t loop;
  intptr_t n;
  int64_t size[TT_SLICE_RANK];
  MlirValue open;
} Expansion;

static intptr_t group_size(MlirAttribute groups, intptr_t i) {
  return mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, i));
}

/* The dimension of `type` at which group `i` starts. */
static intptr_t group_start(MlirAttribute groups, intptr_t i) {
  intptr_t at = 0;
  for (intptr_t j = 0; j < i; ++j) at += group_size(groups, j);
  return at;
}

/* Whether the parts of dimension `i` of `flat`, which `op` reshapes to or from `type`, should be
 * dimensions of their own. `of_rows`: each of its elements stands for a row. */
static bool wants_parts(MlirAttribute groups, MlirType type, MlirType flat, intptr_t i,
                        bool of_rows) {
  intptr_t rank = mlirShapedTypeGetRank(flat) + of_rows, n = group_size(groups, i),
           last = group_start(groups, i) + n - 1;
  intptr_t longer = 0; /* arguments have dimensions of one element, which are no parts */
  for (intptr_t d = last - n + 1; d <= last; ++d) longer += mlirShapedTypeGetDimSize(type, d) != 1;
  if (longer >= 2 && mlirShapedTypeGetRank(flat) == 1 && !of_rows) return true;
  if (longer < 2 || i == rank - 1) return false;
  return i < rank - 2 || mlirShapedTypeGetDimSize(type, last) % TT_TILE != 0;
}

/* Whether `loop` is a dimension of a result that is more than a vector. */
static bool is_side(MlirOperation op, int64_t loop) {
  MlirAffineMap out = tt_indexing_map(op, tt_linalg_num_inputs(op));
  bool side = false;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r)
    side = side || tt_map_loop(out, r) == loop;
  return side && mlirAffineMapGetNumResults(out) > 1;
}

/* Whether `op` gives a vector that somebody expands: the loop over it. */
static bool find_vector(MlirOperation op, Expansion *e) {
  if (mlirOperationGetNumResults(op) != 1) return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) != 1) return false;
  e->loop = tt_map_loop(tt_indexing_map(op, tt_linalg_num_inputs(op)), 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation expand = mlirOpOperandGetOwner(use);
    if (!tt_op_is(expand, "tensor.expand_shape")) continue;
    MlirType parts = mlirValueGetType(mlirOperationGetResult(expand, 0));
    e->n = mlirShapedTypeGetRank(parts);
    if (e->loop < 0 || e->n > TT_SLICE_RANK || !mlirShapedTypeHasStaticShape(parts) ||
        !wants_parts(tt_op_attr(expand, "reassociation"), parts, type, 0, false))
      continue;
    for (intptr_t d = 0; d < e->n; ++d) e->size[d] = mlirShapedTypeGetDimSize(parts, d);
    return true;
  }
  return false;
}

/* How many of `n` dimensions of `type` from `first` on are open. */
static intptr_t open_dims(MlirType type, intptr_t first, intptr_t n) {
  intptr_t open = 0;
  for (intptr_t d = first; d < first + n; ++d) open += mlirShapedTypeIsDynamicDim(type, d);
  return open;
}

/* The first loop of `op` that goes over collapsed parts of operand `operand`. */
static bool find_expansion(TtArena *arena, MlirOperation op, intptr_t operand, Expansion *e) {
  bool of_rows = tt_loads_elements(arena, op);
  MlirOperation collapse = tt_defining_op(mlirOperationGetOperand(op, operand));
  if (!tt_op_is(collapse, "tensor.collapse_shape")) return false;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(collapse, 0)),
           flat = mlirValueGetType(mlirOperationGetResult(collapse, 0));
  MlirAttribute groups = tt_op_attr(collapse, "reassociation");
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(flat); ++i) {
    intptr_t open = open_dims(type, group_start(groups, i), group_size(groups, i));
    if (open > 1 || (!mlirShapedTypeHasStaticShape(type) && i + 2 >= mlirShapedTypeGetRank(flat)))
      continue;
    e->loop = tt_map_loop(tt_indexing_map(op, operand), i);
    if (mlirShapedTypeGetRank(flat) == 1 && !of_rows && is_side(op, e->loop)) continue;
    if (e->loop < 0 || !wants_parts(groups, type, flat, i, of_rows)) continue;
    e->n = group_size(groups, i);
    for (intptr_t d = 0; d < e->n; ++d)
      e->size[d] = mlirShapedTypeGetDimSize(type, group_start(groups, i) + d);
    return true;
  }
  return false;
}

/*===- One op ------------------------------------------------------------------------------===*/

/* Where dimension `dim` of a tensor of type `type` is one of the parts: its type, and how its
 * dimensions are grouped. */
static MlirType expanded_type(MlirType type, intptr_t dim, const Expansion *e,
                              MlirAttribute *groups) {
  MlirContext context = mlirTypeGetContext(type);
  int64_t shape[2 * TT_SLICE_RANK];
  MlirAttribute all[TT_SLICE_RANK];
  intptr_t n = 0, rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d) {
    MlirAttribute members[TT_SLICE_RANK];
    intptr_t parts = d == dim ? e->n : 1;
    for (intptr_t j = 0; j < parts; ++j) {
      members[j] = tt_i64_attr(context, n);
      shape[n++] = d == dim ? e->size[j] : mlirShapedTypeGetDimSize(type, d);
    }
    all[d] = mlirArrayAttrGet(context, parts, members);
  }
  *groups = mlirArrayAttrGet(context, rank, all);
  return mlirRankedTensorTypeGet(n, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

/* A map over the loops with the expansion, whose loops take the place of the old one. */
static MlirAffineMap expand_map(MlirAffineMap map, const Expansion *e) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[2 * TT_SLICE_RANK];
  intptr_t n = 0;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    int64_t loop = tt_map_loop(map, r);
    for (intptr_t j = 0; j < (loop == e->loop ? e->n : 1); ++j)
      results[n++] = mlirAffineDimExprGet(context, loop > e->loop ? loop + e->n - 1 : loop + j);
  }
  return mlirAffineMapGet(context, mlirAffineMapGetNumDims(map) + e->n - 1, 0, n, results);
}

static intptr_t dim_of(MlirAffineMap map, int64_t loop) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (tt_map_loop(map, r) == loop) return r;
  return -1;
}

static void expand_kinds(TtArena *arena, MlirOperation op, const Expansion *e) {
  MlirAttribute kinds = tt_op_attr(op, "iterator_types");
  if (mlirAttributeIsNull(kinds)) return;
  intptr_t n = mlirArrayAttrGetNumElements(kinds), m = 0;
  MlirAttribute *all = tt_arena_alloc(arena, (size_t)(n + e->n) * sizeof *all);
  for (intptr_t d = 0; d < n; ++d)
    for (intptr_t j = 0; j < (d == e->loop ? e->n : 1); ++j)
      all[m++] = mlirArrayAttrGetElement(kinds, d);
  mlirOperationSetInherentAttributeByName(op, tt_str("iterator_types"),
                                          mlirArrayAttrGet(mlirOperationGetContext(op), m, all));
}

/* Maps must be loops, bodies without the loop's index, and what is filled of its own. */
static bool can_expand(TtArena *arena, MlirOperation op, const Expansion *e) {
  intptr_t n = mlirOperationGetNumOperands(op);
  TtOps indices = tt_collect(arena, op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i)
    if (tt_int(tt_op_attr(indices.data[i], "dim")) == e->loop) return false;
  if (mlirOperationGetNumResults(op) != 1) return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirAffineMap map = tt_indexing_map(op, i);
    intptr_t rank = mlirAffineMapGetNumResults(map);
    if (rank + e->n > TT_SLICE_RANK) return false;
    for (intptr_t r = 0; r < rank; ++r)
      if (tt_map_loop(map, r) < 0) return false;
  }
  return true;
}

/* The loops of a fill of `rank` dimensions. */
static void set_fill_loops(MlirOperation fill, intptr_t rank) {
  MlirContext context = mlirOperationGetContext(fill);
  MlirAttribute kinds[2 * TT_SLICE_RANK],
      parallel = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>"));
  for (intptr_t d = 0; d < rank; ++d) kinds[d] = parallel;
  mlirOperationSetInherentAttributeByName(fill, tt_str("iterator_types"),
                                          mlirArrayAttrGet(context, rank, kinds));
  tt_set_indexing_map(fill, 0, mlirAffineMapZeroResultGet(context, rank, 0));
  tt_set_indexing_map(fill, 1, mlirAffineMapMultiDimIdentityGet(context, rank));
}

/* An empty tensor of type `type`, as `empty` is one whose dimension `dim` is that of the parts. */
static MlirValue empty_parts(TtBuilder *b, MlirLocation loc, MlirOperation empty, MlirType type,
                             intptr_t dim, const Expansion *e) {
  TtOpState s = tt_op_state("tensor.empty", loc);
  MlirType flat = mlirValueGetType(mlirOperationGetResult(empty, 0));
  intptr_t sizes = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(flat); ++d) {
    if (!mlirShapedTypeIsDynamicDim(flat, d)) continue;
    MlirValue size = mlirOperationGetOperand(empty, sizes++);
    tt_op_state_operand(&s, d == dim && !tt_is_null_value(e->open) ? e->open : size);
  }
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* `value` as one of type `type`: what is empty, or filled with a number, is so in any shape, and
 * what was collapsed from it was so before. */
static MlirValue expand_value(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type,
                              MlirAttribute groups, intptr_t dim, const Expansion *e) {
  MlirOperation from = tt_defining_op(value);
  if (tt_op_is(from, "tensor.empty")) return empty_parts(b, loc, from, type, dim, e);
  if (tt_op_is(from, "tensor.collapse_shape") &&
      mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(from, 0)), type) &&
      mlirAttributeEqual(tt_op_attr(from, "reassociation"), groups))
    return mlirOperationGetOperand(from, 0);
  if (!tt_fills(from)) return tt_reshape(b, loc, value, type, groups, true, NULL);
  MlirValue out = expand_value(b, loc, mlirOperationGetOperand(from, 1), type, groups, dim, e);
  MlirOperation fill = tt_builder_insert(b, mlirOperationClone(from));
  mlirOperationSetOperand(fill, 1, out);
  mlirValueSetType(mlirOperationGetResult(fill, 0), type);
  set_fill_loops(fill, mlirShapedTypeGetRank(type));
  return mlirOperationGetResult(fill, 0);
}

/* Whoever has the parts of `flat`, which is `parts` collapsed, has `parts`. */
static void fold_expansions(TtArena *arena, MlirOperation func, MlirValue flat, MlirValue parts,
                            MlirAttribute groups) {
  TtOps all = tt_collect(arena, func, "tensor.expand_shape");
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_value_eq(mlirOperationGetOperand(all.data[i], 0), flat) &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(all.data[i], 0)),
                      mlirValueGetType(parts)) &&
        mlirAttributeEqual(tt_op_attr(all.data[i], "reassociation"), groups))
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(all.data[i], 0), parts);
}

static void expand(TtArena *arena, MlirOperation func, MlirOperation op, const Expansion *e) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirContext context = mlirOperationGetContext(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  TtBuilder before = tt_builder_before(op), after = tt_builder_after(op);
  MlirAttribute *maps = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *maps), groups;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  intptr_t out = dim_of(tt_indexing_map(op, n - 1), e->loop);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAffineMap map = tt_indexing_map(op, i);
    MlirValue value = mlirOperationGetOperand(op, i);
    intptr_t dim = dim_of(map, e->loop);
    maps[i] = mlirAffineMapAttrGet(expand_map(map, e));
    if (dim < 0) continue;
    MlirType larger = expanded_type(mlirValueGetType(value), dim, e, &groups);
    mlirOperationSetOperand(op, i, expand_value(&before, loc, value, larger, groups, dim, e));
  }
  mlirOperationSetInherentAttributeByName(op, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(context, n, maps));
  expand_kinds(arena, op, e);
  TtOps indices = tt_collect(arena, op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i) {
    int64_t d = tt_int(tt_op_attr(indices.data[i], "dim"));
    if (d > e->loop)
      mlirOperationSetInherentAttributeByName(indices.data[i], tt_str("dim"),
                                              tt_i64_attr(context, d + e->n - 1));
  }
  if (out < 0) return;
  mlirValueSetType(result, expanded_type(type, out, e, &groups));
  MlirValue flat = tt_reshape(&after, loc, result, type, groups, false, NULL);
  MlirOperation own = tt_defining_op(flat);
  mlirValueReplaceAllUsesExcept(result, flat, 1, &own);
  fold_expansions(arena, func, flat, result, groups);
}

/* The size of the open one of the parts that operand `operand` was collapsed from, or null. */
static MlirValue open_part(MlirOperation op, intptr_t operand, const Expansion *e) {
  MlirOperation collapse = tt_defining_op(mlirOperationGetOperand(op, operand));
  TtBuilder b = tt_builder_before(op);
  intptr_t dim = dim_of(tt_indexing_map(op, operand), e->loop),
           first = group_start(tt_op_attr(collapse, "reassociation"), dim);
  MlirValue of = mlirOperationGetOperand(collapse, 0);
  for (intptr_t d = 0; d < e->n; ++d)
    if (mlirShapedTypeIsDynamicDim(mlirValueGetType(of), first + d))
      return tt_tensor_dim(&b, mlirOperationGetLocation(op), of, first + d);
  return (MlirValue){NULL};
}

static bool expand_all(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = ops.n; i-- > 0;) {
    Expansion e = {.open = {NULL}};
    if (tt_op_is(ops.data[i], "linalg.generic") && find_vector(ops.data[i], &e) &&
        can_expand(arena, ops.data[i], &e))
      expand(arena, func, ops.data[i], &e);
  }
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_op_is(op, "linalg.generic")) continue;
    for (intptr_t j = 0; j < tt_linalg_num_inputs(op); ++j) {
      Expansion e = {.open = {NULL}};
      while (find_expansion(arena, op, j, &e) && can_expand(arena, op, &e)) {
        e.open = open_part(op, j, &e);
        expand(arena, func, op, &e);
      }
    }
  }
  return true;
}

bool tt_run_expand_batches(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, expand_all);
}
