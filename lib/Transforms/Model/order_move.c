/*===- order_move.c - a tensor with its dimensions in another order ---------------------------===*/

#include "Analysis/weights.h"
#include "Dialect/shapes.h"
#include "Transforms/Model/order.h"

#include "mlir-c/AffineExpr.h"

TtOrder tt_order_none(intptr_t rank) {
  TtOrder order = {.n = rank};
  for (intptr_t j = 0; j < rank && j < TT_SLICE_RANK; ++j) order.at[j] = (int8_t)j;
  return order;
}

bool tt_order_is_none(const TtOrder *order) {
  for (intptr_t j = 0; j < order->n; ++j)
    if (order->at[j] != j) return false;
  return true;
}

bool tt_order_eq(const TtOrder *a, const TtOrder *b) {
  if (a->n != b->n) return false;
  for (intptr_t j = 0; j < a->n; ++j)
    if (a->at[j] != b->at[j]) return false;
  return true;
}

MlirType tt_order_type(const TtOrder *order, MlirType type) {
  int64_t shape[TT_SLICE_RANK];
  for (intptr_t j = 0; j < order->n; ++j) shape[j] = mlirShapedTypeGetDimSize(type, order->at[j]);
  return mlirRankedTensorTypeGet(order->n, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

/*===- Constants ---------------------------------------------------------------------------===*/

/* The constant with its dimensions in another order; null where its elements are no whole bytes. */
static MlirAttribute turned(TtArena *arena, MlirOperation constant, const TtOrder *order) {
  MlirAttribute value = tt_op_attr(constant, "value");
  MlirType type = mlirAttributeGetType(value), to = tt_order_type(order, type),
           element = mlirShapedTypeGetElementType(type);
  TtElements e = {NULL, 0, 0};
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) % 8 != 0)
    return mlirAttributeGetNull();
  if (!tt_elements(constant, value, type, "the constant", &e)) return mlirAttributeGetNull();
  if (e.times != 1) return mlirDenseElementsAttrRawBufferGet(to, e.n, e.data); /* a splat */
  size_t n = 1, stride[TT_SLICE_RANK], index[TT_SLICE_RANK] = {0};
  for (intptr_t d = order->n; d-- > 0; n *= (size_t)mlirShapedTypeGetDimSize(type, d))
    stride[d] = n;
  if (n == 0 || e.n % n != 0) return mlirAttributeGetNull();
  size_t bytes = e.n / n, at = 0;
  char *data = tt_arena_alloc(arena, e.n);
  for (size_t i = 0; i < n; ++i) {
    memcpy(data + i * bytes, e.data + at * bytes, bytes);
    for (intptr_t j = order->n; j-- > 0;) {
      at += stride[order->at[j]];
      if (++index[j] < (size_t)mlirShapedTypeGetDimSize(to, j)) break;
      at -= index[j] * stride[order->at[j]];
      index[j] = 0;
    }
  }
  return mlirDenseElementsAttrRawBufferGet(to, e.n, data);
}

/*===- Moves -------------------------------------------------------------------------------===*/

/* A linalg.generic of parallel loops, one a dimension of its result of type `type`, with `n` inputs
 * of that element type; its body is empty. */
static MlirOperation elementwise(TtBuilder *b, MlirLocation loc, MlirType type, intptr_t n,
                                 const MlirValue *inputs, const MlirAffineMap *maps) {
  MlirContext context = b->context;
  MlirType element = mlirShapedTypeGetElementType(type), args[2] = {element, element};
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirAttribute kinds[TT_SLICE_RANK], all[2],
      parallel = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>"));
  MlirValue empty = tt_empty(b, loc, type);
  TtOpState s = tt_op_state("linalg.generic", loc);
  for (intptr_t d = 0; d < rank; ++d) kinds[d] = parallel;
  for (intptr_t i = 0; i < n; ++i) {
    tt_op_state_operand(&s, inputs[i]);
    all[i] = mlirAffineMapAttrGet(maps[i]);
  }
  all[n] = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, rank));
  tt_op_state_operand(&s, empty);
  tt_op_state_attr(&s, context, "indexing_maps", mlirArrayAttrGet(context, n + 1, all));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, rank, kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){(int32_t)n, 1}));
  tt_op_state_result(&s, type);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(n + 1, args, (MlirLocation[]){loc, loc}));
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  return tt_builder_insert(b, tt_op_state_finish(&s));
}

static void yield(TtBuilder *b, MlirLocation loc, MlirValue value) {
  TtOpState s = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&s, value);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* An op that only moves: its result has dimension at[j] of `value` as dimension j. */
static MlirValue transpose(TtBuilder *b, MlirLocation loc, MlirValue value, const TtOrder *order) {
  MlirAffineExpr in[TT_SLICE_RANK];
  for (intptr_t j = 0; j < order->n; ++j) in[order->at[j]] = mlirAffineDimExprGet(b->context, j);
  MlirAffineMap map = mlirAffineMapGet(b->context, order->n, 0, order->n, in);
  MlirOperation op =
      elementwise(b, loc, tt_order_type(order, mlirValueGetType(value)), 1, &value, &map);
  TtBuilder body = tt_builder_at_end(tt_body(op));
  yield(&body, loc, mlirBlockGetArgument(tt_body(op), 0));
  return mlirOperationGetResult(op, 0);
}

static MlirValue insert(TtBuilder *b, TtOpState s, MlirType type) {
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* `value` with runs of its dimensions, size[g] each, as the dimensions of `flat`: row by row. */
static MlirValue gather(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType flat,
                        const intptr_t *size) {
  MlirContext context = b->context;
  MlirType index = mlirIndexTypeGet(context), type = mlirValueGetType(value);
  MlirOperation op = elementwise(b, loc, flat, 0, NULL, NULL);
  TtBuilder body = tt_builder_at_end(tt_body(op));
  MlirValue at[TT_SLICE_RANK];
  intptr_t d = 0;
  for (intptr_t g = 0; g < mlirShapedTypeGetRank(flat); ++g) {
    TtOpState s = tt_op_state("linalg.index", loc);
    tt_op_state_attr(&s, context, "dim", tt_i64_attr(context, g));
    MlirValue loop = insert(&body, s, index);
    int64_t stride = mlirShapedTypeGetDimSize(flat, g), whole = stride;
    for (intptr_t i = 0; i < size[g]; ++i, ++d) {
      MlirAffineExpr e = mlirAffineDimExprGet(context, 0);
      int64_t extent = mlirShapedTypeGetDimSize(type, d);
      stride /= extent;
      if (stride > 1) e = mlirAffineFloorDivExprGet(e, mlirAffineConstantExprGet(context, stride));
      if (stride * extent < whole)
        e = mlirAffineModExprGet(e, mlirAffineConstantExprGet(context, extent));
      at[d] = loop;
      if (mlirAffineExprIsADim(e)) continue;
      TtOpState apply = tt_op_state("affine.apply", loc);
      tt_op_state_operand(&apply, loop);
      tt_op_state_attr(&apply, context, "map",
                       mlirAffineMapAttrGet(mlirAffineMapGet(context, 1, 0, 1, &e)));
      at[d] = insert(&body, apply, index);
    }
  }
  TtOpState load = tt_op_state("tensor.extract", loc);
  tt_op_state_operand(&load, value);
  for (intptr_t i = 0; i < d; ++i) tt_op_state_operand(&load, at[i]);
  yield(&body, loc, insert(&body, load, mlirShapedTypeGetElementType(type)));
  return mlirOperationGetResult(op, 0);
}

/* Whether ops compute `value`, whose dimensions up to `d` become rows of a matrix that are no whole
 * tiles of it: then blocks of one are no blocks of the other. Others have the shape that is asked
 * for. */
static bool mixes_tiles(MlirValue value, intptr_t d) {
  MlirOperation op = tt_defining_op(value);
  while (tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape"))
    op = tt_defining_op(mlirOperationGetOperand(op, 0));
  return !mlirOperationIsNull(op) && !tt_op_is(op, "arith.constant") &&
         mlirShapedTypeGetDimSize(mlirValueGetType(value), d) % TT_TILE != 0;
}

/* `value` with `n` runs of dimensions, size[g] each, as one dimension each; or the other way round,
 * to `type`. */
static MlirValue reshape(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type, intptr_t n,
                         const intptr_t *size, bool expands) {
  MlirContext context = b->context;
  MlirAttribute groups[TT_SLICE_RANK];
  int64_t shape[TT_SLICE_RANK];
  intptr_t d = 0;
  bool gathers = false;
  for (intptr_t g = 0; g < n; ++g) {
    MlirAttribute members[TT_SLICE_RANK];
    shape[g] = 1;
    for (intptr_t i = 0; i < size[g]; ++i, ++d) {
      members[i] = tt_i64_attr(context, d);
      shape[g] *= mlirShapedTypeGetDimSize(type, d);
    }
    groups[g] = mlirArrayAttrGet(context, size[g], members);
    gathers = gathers || (!expands && g < n - 1 && size[g] > 1 && mixes_tiles(value, d - 1));
  }
  if (n == d) return value;
  MlirType flat =
      mlirRankedTensorTypeGet(n, shape, mlirShapedTypeGetElementType(type), mlirAttributeGetNull());
  if (gathers) return gather(b, loc, value, flat, size);
  return tt_reshape(b, loc, value, expands ? type : flat, mlirArrayAttrGet(context, n, groups),
                    expands, NULL);
}

/* Dimensions that stay side by side, in the new order: where each run of them starts in the old
 * order, and how many there are. */
typedef struct Runs {
  intptr_t n, first[TT_SLICE_RANK], size[TT_SLICE_RANK];
  TtOrder order; /* of the runs */
} Runs;

static Runs find_runs(const TtOrder *order) {
  Runs runs = {.n = 0};
  for (intptr_t j = 0; j < order->n; ++j) {
    if (j > 0 && order->at[j] == order->at[j - 1] + 1) ++runs.size[runs.n - 1];
    else runs.first[runs.n] = order->at[j], runs.size[runs.n++] = 1;
  }
  runs.order.n = runs.n;
  for (intptr_t g = 0; g < runs.n; ++g)
    for (intptr_t h = 0; h < runs.n; ++h) runs.order.at[g] += runs.first[h] < runs.first[g];
  return runs;
}

/* `value` with each run as one dimension. */
static MlirValue join_runs(TtBuilder *b, MlirLocation loc, MlirValue value, const Runs *runs) {
  intptr_t old[TT_SLICE_RANK] = {0};
  for (intptr_t g = 0; g < runs->n; ++g) old[runs->order.at[g]] = runs->size[g];
  return reshape(b, loc, value, mlirValueGetType(value), runs->n, old, false);
}

/* One move: dimensions that stay side by side are one meanwhile. */
static MlirValue move_once(TtBuilder *b, MlirLocation loc, MlirValue value, const TtOrder *order) {
  MlirType to = tt_order_type(order, mlirValueGetType(value));
  Runs runs = find_runs(order);
  value = transpose(b, loc, join_runs(b, loc, value, &runs), &runs.order);
  return reshape(b, loc, value, to, runs.n, runs.size, true);
}

/* All moves, of dimensions none of which stay side by side. Where only the last two change places,
 * matrices are turned; where the last one stays, rows are moved. Else a matrix of all dimensions is
 * turned, so that the new last one is the last, and then rows are moved. */
static MlirValue move_runs(TtBuilder *b, MlirLocation loc, MlirValue value, const TtOrder *order) {
  intptr_t n = order->n, last = order->at[n - 1], kept = 0;
  while (kept < n && order->at[kept] == kept) ++kept;
  if (kept == n - 2 || last == n - 1) return move_once(b, loc, value, order);
  TtOrder first = {.n = n}, then = {.n = n};
  for (intptr_t j = 0; j < n; ++j) {
    first.at[j] = (int8_t)((last + 1 + j) % n);
    then.at[j] = (int8_t)((order->at[j] + n - last - 1) % n);
  }
  value = move_once(b, loc, value, &first);
  return tt_order_is_none(&then) ? value : move_once(b, loc, value, &then);
}

MlirValue tt_order_move(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                        const TtOrder *from, const TtOrder *to) {
  TtOrder order = {.n = to->n};
  for (intptr_t j = 0; j < to->n; ++j)
    for (intptr_t i = 0; i < from->n; ++i)
      if (from->at[i] == to->at[j]) order.at[j] = (int8_t)i;
  if (tt_order_is_none(&order)) return value;
  MlirOperation source = tt_defining_op(value);
  MlirType type = tt_order_type(&order, mlirValueGetType(value));
  if (tt_op_is(source, "tensor.empty")) return tt_empty(b, loc, type);
  if (tt_op_is(source, "arith.constant")) {
    MlirAttribute elements = turned(arena, source, &order);
    if (!mlirAttributeIsNull(elements)) {
      TtOpState s = tt_op_state("arith.constant", mlirOperationGetLocation(source));
      tt_op_state_attr(&s, b->context, "value", elements);
      tt_op_state_result(&s, type);
      return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
    }
  }
  Runs runs = find_runs(&order);
  value = move_runs(b, loc, join_runs(b, loc, value, &runs), &runs.order);
  return reshape(b, loc, value, type, runs.n, runs.size, true);
}
