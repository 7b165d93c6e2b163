/*===- join_rows.c - --tt-join-rows ----------------------------------------------------------===
 *
 * Where a reshape makes one dimension of the rows that an op gives, as of the patches of an image,
 * the op itself goes over that dimension, and so does what gathers rows for it.
 *
 *   before  %p = linalg.generic {(y, x, k)} { tensor.extract %image[16 y + …, 16 x + …] }
 *           %r = linalg.generic {(y, x, f, k) -> (y, x, k), (f, k), (y, x, f)} ins(%p, %w) …
 *           %t = tensor.collapse_shape %r [[0, 1], [2]] : tensor<14x14x768xf32> into …
 *   after   %p = linalg.generic {(r, k)} {
 *             tensor.extract %image[16 (r floordiv 14) + …, 16 (r mod 14) + …] }
 *           %t = linalg.generic {(r, f, k) -> (r, k), (f, k), (r, f)} ins(%p, %w) …
 *
 * 14 rows are a tile of 32, of which more than half is empty: it is multiplied all the same, and
 * the reshape moves rows between tiles.
 *
 * Done where the inner of these dimensions are no whole tiles, and all that is read along them is
 * made for this op alone, by ops that read nothing along them but elements: tensors that are there
 * as they are, arguments and results of other ops, have tiles of their own, which stay.
 *
 * Requires generalized ops on tensors, of constant sizes; leaves others.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

/* The dimensions [first, first + n) of a value, or loops of an op. */
typedef struct Span {
  intptr_t first, n;
} Span;

static bool has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/* The loops that dimensions of operand `i` are: they follow each other in both. */
static bool loops_of(MlirOperation op, intptr_t i, Span dims, Span *loops) {
  MlirAffineMap map = tt_indexing_map(op, i);
  for (intptr_t k = 0; k < dims.n; ++k) {
    int64_t loop = tt_map_loop(map, dims.first + k);
    if (k == 0) *loops = (Span){loop, dims.n};
    if (loop < 0 || loop != loops->first + k) return false;
  }
  return true;
}

/* Which dimensions of operand `i` these loops are: `n` is 0 where it has none of them. False where
 * it has some only, or not side by side. */
static bool dims_of(MlirOperation op, intptr_t i, Span loops, Span *dims) {
  MlirAffineMap map = tt_indexing_map(op, i);
  *dims = (Span){0, 0};
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    MlirAffineExpr e = mlirAffineMapGetResult(map, r);
    bool any = false;
    for (intptr_t k = 0; k < loops.n; ++k)
      any = any || mlirAffineExprIsFunctionOfDim(e, loops.first + k);
    if (!any) continue;
    if (tt_map_loop(map, r) != loops.first + dims->n) return false;
    if (dims->n == 0) dims->first = r;
    if (r != dims->first + dims->n++) return false;
  }
  return dims->n == 0 || dims->n == loops.n;
}

/* The dimensions of a tensor that were collapsed to `dims` of what tensor.collapse_shape gives. */
static Span dims_before(MlirOperation collapse, Span dims) {
  MlirAttribute groups = tt_op_attr(collapse, "reassociation");
  Span before = {0, 0};
  for (intptr_t g = 0; g < dims.first + dims.n; ++g) {
    intptr_t n = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
    if (g < dims.first) before.first += n;
    else before.n += n;
  }
  return before;
}

/*===- Legality ------------------------------------------------------------------------------===*/

static bool can_join(MlirValue value, Span dims);

static bool can_join_op(MlirOperation op, Span dims) {
  intptr_t inputs = tt_linalg_num_inputs(op);
  MlirAttribute kinds = tt_op_attr(op, "iterator_types");
  Span loops, own;
  if (!tt_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1 ||
      mlirArrayAttrGetNumElements(kinds) > TT_SLICE_RANK || !loops_of(op, inputs, dims, &loops))
    return false;
  MlirAttribute parallel =
      mlirAttributeParseGet(mlirOperationGetContext(op), tt_str("#linalg.iterator_type<parallel>"));
  for (intptr_t k = 0; k < loops.n; ++k)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(kinds, loops.first + k), parallel))
      return false;
  for (intptr_t i = 0; i <= inputs; ++i)
    if (!dims_of(op, i, loops, &own) ||
        (own.n > 0 && !can_join(mlirOperationGetOperand(op, i), own)))
      return false;
  return true;
}

static bool can_join(MlirValue value, Span dims) {
  MlirOperation op = tt_defining_op(value);
  MlirType type = mlirValueGetType(value);
  if (mlirOperationIsNull(op) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > TT_SLICE_RANK)
    return false;
  if (tt_op_is(op, "tensor.empty")) return true;
  if (!has_one_use(value)) return false;
  if (tt_op_is(op, "tensor.collapse_shape"))
    return can_join(mlirOperationGetOperand(op, 0), dims_before(op, dims));
  return can_join_op(op, dims);
}

/*===- Joining ------------------------------------------------------------------------------===*/

static MlirType joined_type(MlirType type, Span dims) {
  int64_t shape[TT_SLICE_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type), n = 0;
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (d > dims.first && d < dims.first + dims.n) shape[n - 1] *= size;
    else shape[n++] = size;
  }
  return mlirRankedTensorTypeGet(n, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

/* A map without the loops behind the first of `loops`, which stands for all of them. */
static MlirAffineMap joined_map(MlirAffineMap map, Span loops) {
  MlirContext context = mlirAffineMapGetContext(map);
  intptr_t all = mlirAffineMapGetNumDims(map), n = 0;
  MlirAffineExpr to[TT_SLICE_RANK], results[TT_SLICE_RANK];
  for (intptr_t d = 0; d < all; ++d) {
    intptr_t behind = d - loops.first;
    intptr_t less = behind <= 0 ? 0 : behind < loops.n ? behind : loops.n - 1;
    to[d] = mlirAffineDimExprGet(context, d - less);
  }
  MlirAffineMap over = mlirAffineMapGet(context, all - loops.n + 1, 0, all, to);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    int64_t loop = tt_map_loop(map, r);
    if (loop > loops.first && loop < loops.first + loops.n) continue;
    results[n++] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), over);
  }
  return mlirAffineMapGet(context, all - loops.n + 1, 0, n, results);
}

static MlirValue apply(TtBuilder *b, MlirLocation loc, MlirValue index, MlirAffineExpr e) {
  TtOpState s = tt_op_state("affine.apply", loc);
  tt_op_state_operand(&s, index);
  tt_op_state_attr(&s, b->context, "map",
                   mlirAffineMapAttrGet(mlirAffineMapGet(b->context, 1, 0, 1, &e)));
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Has the body take the loops that are one now from that one. `sizes` are theirs. */
static void join_indices(TtArena *arena, MlirOperation op, Span loops, const int64_t *sizes) {
  TtOps indices = tt_collect(arena, op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i) {
    MlirOperation index = indices.data[i];
    MlirContext context = mlirOperationGetContext(index);
    intptr_t d = (intptr_t)tt_int(tt_op_attr(index, "dim")), k = d - loops.first;
    if (k < 0) continue;
    if (k >= loops.n) {
      mlirOperationSetInherentAttributeByName(index, tt_str("dim"),
                                              tt_i64_attr(context, d - loops.n + 1));
      continue;
    }
    mlirOperationSetInherentAttributeByName(index, tt_str("dim"),
                                            tt_i64_attr(context, loops.first));
    int64_t inner = 1;
    for (intptr_t j = k + 1; j < loops.n; ++j) inner *= sizes[j];
    MlirAffineExpr at = mlirAffineDimExprGet(context, 0);
    if (inner > 1) at = mlirAffineFloorDivExprGet(at, mlirAffineConstantExprGet(context, inner));
    if (k > 0) at = mlirAffineModExprGet(at, mlirAffineConstantExprGet(context, sizes[k]));
    TtBuilder b = tt_builder_after(index);
    MlirValue all = mlirOperationGetResult(index, 0),
              one = apply(&b, mlirOperationGetLocation(index), all, at);
    MlirOperation applied = tt_defining_op(one);
    mlirValueReplaceAllUsesExcept(all, one, 1, &applied);
  }
}

static MlirValue join(TtArena *arena, MlirValue value, Span dims);

static void join_op(TtArena *arena, MlirOperation op, Span dims) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t inputs = tt_linalg_num_inputs(op), n = 0;
  MlirAttribute maps[TT_SLICE_RANK + 1], left[TT_SLICE_RANK],
      kinds = tt_op_attr(op, "iterator_types");
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t sizes[TT_SLICE_RANK];
  Span loops = {0, 0}, own = {0, 0};
  (void)loops_of(op, inputs, dims, &loops);
  for (intptr_t k = 0; k < dims.n; ++k) sizes[k] = mlirShapedTypeGetDimSize(type, dims.first + k);
  for (intptr_t i = 0; i <= inputs; ++i) {
    if (dims_of(op, i, loops, &own) && own.n > 0)
      mlirOperationSetOperand(op, i, join(arena, mlirOperationGetOperand(op, i), own));
    maps[i] = mlirAffineMapAttrGet(joined_map(tt_indexing_map(op, i), loops));
  }
  for (intptr_t d = 0; d < mlirArrayAttrGetNumElements(kinds); ++d)
    if (d <= loops.first || d >= loops.first + loops.n)
      left[n++] = mlirArrayAttrGetElement(kinds, d);
  mlirOperationSetInherentAttributeByName(op, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(context, inputs + 1, maps));
  mlirOperationSetInherentAttributeByName(op, tt_str("iterator_types"),
                                          mlirArrayAttrGet(context, n, left));
  join_indices(arena, op, loops, sizes);
  mlirValueSetType(mlirOperationGetResult(op, 0), joined_type(type, dims));
}

/* What tensor.collapse_shape gives, with `dims` of it as one, of a source joined just so. */
static MlirValue join_collapse(TtArena *arena, MlirOperation op, Span dims) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute groups = tt_op_attr(op, "reassociation"), made[TT_SLICE_RANK];
  MlirType type = joined_type(mlirValueGetType(mlirOperationGetResult(op, 0)), dims);
  MlirValue source = join(arena, mlirOperationGetOperand(op, 0), dims_before(op, dims));
  if (mlirTypeEqual(mlirValueGetType(source), type)) return source;
  intptr_t n = 0, at = 0;
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    if (g > dims.first && g < dims.first + dims.n) continue;
    MlirAttribute members[TT_SLICE_RANK];
    intptr_t size =
        g == dims.first ? 1 : mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
    for (intptr_t i = 0; i < size; ++i) members[i] = tt_i64_attr(context, at++);
    made[n++] = mlirArrayAttrGet(context, size, members);
  }
  TtBuilder b = tt_builder_before(op);
  return tt_reshape(&b, mlirOperationGetLocation(op), source, type,
                    mlirArrayAttrGet(context, n, made), false, NULL);
}

static MlirValue join(TtArena *arena, MlirValue value, Span dims) {
  MlirOperation op = tt_defining_op(value);
  TtBuilder b = tt_builder_before(op);
  if (tt_op_is(op, "tensor.empty"))
    return tt_empty(&b, mlirOperationGetLocation(op), joined_type(mlirValueGetType(value), dims));
  if (tt_op_is(op, "tensor.collapse_shape")) return join_collapse(arena, op, dims);
  join_op(arena, op, dims);
  return value;
}

/*===- Reshapes -----------------------------------------------------------------------------===*/

/* Whether a gather, in which nothing but elements is read, gives `value`, perhaps through others.
 */
static bool comes_from_gather(TtArena *arena, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) return false;
  if (tt_op_is(op, "tensor.collapse_shape"))
    return comes_from_gather(arena, mlirOperationGetOperand(op, 0));
  if (!tt_op_is(op, "linalg.generic")) return false;
  if (tt_linalg_num_inputs(op) == 0) return tt_loads_elements(arena, op);
  for (intptr_t i = 0; i < tt_linalg_num_inputs(op); ++i)
    if (comes_from_gather(arena, mlirOperationGetOperand(op, i))) return true;
  return false;
}

/* The group of a reshape that joins rows, of which the inner ones are no whole tiles; -1 where it
 * has none. */
static intptr_t group_of_rows(MlirAttribute groups, MlirType type) {
  intptr_t g = mlirArrayAttrGetNumElements(groups) - 2;
  if (g < 0 || mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g + 1)) != 1) return -1;
  MlirAttribute group = mlirArrayAttrGetElement(groups, g);
  intptr_t n = mlirArrayAttrGetNumElements(group);
  int64_t inner =
      mlirShapedTypeGetDimSize(type, (intptr_t)tt_int(mlirArrayAttrGetElement(group, n - 1)));
  return n > 1 && inner % TT_TILE != 0 ? g : -1;
}

static bool join_rows(TtArena *arena, MlirOperation func) {
  TtOps reshapes = tt_collect(arena, func, "tensor.collapse_shape");
  for (intptr_t i = 0; i < reshapes.n; ++i) {
    MlirOperation reshape = reshapes.data[i];
    MlirAttribute groups = tt_op_attr(reshape, "reassociation");
    MlirValue value = mlirOperationGetOperand(reshape, 0);
    MlirType type = mlirValueGetType(value);
    if (mlirShapedTypeGetRank(type) > TT_SLICE_RANK) continue;
    intptr_t g = group_of_rows(groups, type);
    if (g < 0 || !comes_from_gather(arena, value)) continue;
    Span dims = dims_before(reshape, (Span){g, 1});
    if (!can_join(value, dims) || tt_op_is(tt_defining_op(value), "tensor.empty")) continue;
    tt_replace(reshape, join_collapse(arena, reshape, (Span){g, 1}));
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_join_rows(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, join_rows);
}
