/*===- open_windows.c - --tt-open-windows ----------------------------------------------------===
 *
 * What an op reads in steps of more than one element, as a convolution with strides does, is
 * gathered into a tensor of its own before: the windows side by side. The op is then a plain
 * product, or a plain reduction, of it. So is a patch embedding.
 *
 *   before  %r = linalg.generic {(y, x, f, a, b, c) -> (2 y + a, 2 x + b, c), (f, a, b, c), (y, x,
 * f)} ins(%image, %w) … { mulf, addf } after   %p = linalg.generic {(y, x, a, b, c)} {
 * tensor.extract %image[2 y + a, 2 x + b, c] } %k = tensor.collapse_shape %p [[0], [1], [2, 3, 4]]
 *  %v = tensor.collapse_shape %w … %r = linalg.generic {(y, x, f, k) -> (y, x, k), (f, k), (y, x,
 * f)} ins(%k, %v) …
 *
 * Windows that are multiplied by a vector are gathered as well: they are the rows of a matrix then.
 * For ops that are no products the window comes first, (a, b, y, x, c): then each of its places is
 * a matrix.
 *
 * Requires generalized ops on tensors. Open sizes are those of dimensions that have no windows, as
 * of batches; other ops are left.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/AffineExpr.h"

enum { MOST_LOOPS = 12 };

/* A linalg op one of whose inputs is read in steps. */
typedef struct Windows {
  MlirOperation op;
  intptr_t operand, loops, inputs;
  int64_t extent[MOST_LOOPS];
  bool summed[MOST_LOOPS];   /* no dimension of the result */
  int64_t order[MOST_LOOPS]; /* loops of the operand, as dimensions of what is gathered */
  intptr_t n, kept;          /* of these the first `kept` stay, and the others are one dimension */
  int64_t pair; /* so many steps of the last but one are a dimension of what is gathered */
} Windows;

/* Whether an index takes a loop in steps of more than one. */
static bool has_step(MlirAffineExpr e) {
  if (mlirAffineExprIsAMul(e)) return true;
  if (!mlirAffineExprIsAAdd(e)) return false;
  return has_step(mlirAffineBinaryOpExprGetLHS(e)) || has_step(mlirAffineBinaryOpExprGetRHS(e));
}

/* Sums of loops times constants, which upstream's lowerings of windows give. */
static bool is_sum(MlirAffineExpr e) {
  if (mlirAffineExprIsADim(e) || mlirAffineExprIsAConstant(e)) return true;
  if (!mlirAffineExprIsAAdd(e) && !mlirAffineExprIsAMul(e)) return false;
  return is_sum(mlirAffineBinaryOpExprGetLHS(e)) && is_sum(mlirAffineBinaryOpExprGetRHS(e));
}

/* Whether a loop, alone, is one of the results of `map`. */
static bool has_loop(MlirAffineMap map, int64_t loop) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (tt_map_loop(map, r) == loop) return true;
  return false;
}

/* Whether windows over channels, read by `map`, are multiplied by a vector, which gives them no
 * columns: side by side they are rows of a matrix. */
static bool lacks_columns(const Windows *w, MlirAffineMap map) {
  if (!tt_sums_products(w->op) || mlirAffineMapIsProjectedPermutation(map)) return false;
  MlirAffineMap other = tt_indexing_map(w->op, 1 - w->operand),
                out = tt_indexing_map(w->op, w->inputs);
  bool channels = false;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    channels |= tt_map_loop(map, r) >= 0 && !has_loop(out, tt_map_loop(map, r));
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r)
    if (tt_map_loop(out, r) < 0 || has_loop(other, tt_map_loop(out, r))) return false;
  return channels;
}

static bool find_operand(Windows *w) {
  for (w->operand = 0; w->operand < w->inputs; ++w->operand) {
    MlirAffineMap map = tt_indexing_map(w->op, w->operand);
    bool steps = lacks_columns(w, map), sums = true;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      steps = steps || has_step(mlirAffineMapGetResult(map, r));
      sums = sums && is_sum(mlirAffineMapGetResult(map, r));
    }
    if (steps && sums) return true;
  }
  return false;
}

/* Extents and kinds of the loops; false where one is not known. */
static bool find_loops(Windows *w) {
  w->loops = mlirAffineMapGetNumDims(tt_indexing_map(w->op, 0));
  if (w->loops > MOST_LOOPS) return false;
  for (intptr_t d = 0; d < w->loops; ++d) w->extent[d] = -1, w->summed[d] = true;
  for (intptr_t i = 0; i <= w->inputs; ++i) {
    MlirAffineMap map = tt_indexing_map(w->op, i);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(w->op, i));
    if (!mlirTypeIsARankedTensor(type)) continue;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      int64_t loop = tt_map_loop(map, r);
      if (loop < 0) continue;
      w->extent[loop] = mlirShapedTypeGetDimSize(type, r);
      if (i == w->inputs) w->summed[loop] = false;
    }
  }
  for (intptr_t d = 0; d < w->loops; ++d)
    if (w->extent[d] <= 0 && (w->extent[d] != mlirShapedTypeGetDynamicSize() ||
                              !has_loop(tt_indexing_map(w->op, w->operand), d)))
      return false;
  return true;
}

static bool reads(const Windows *w, int64_t loop) {
  MlirAffineMap map = tt_indexing_map(w->op, w->operand);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, r), loop)) return true;
  return false;
}

/* Adds the loops that the operand has, in the order of the results of `by`. */
static void add_loops(Windows *w, MlirAffineMap by, bool summed) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(by); ++r) {
    int64_t loop = tt_map_loop(by, r);
    if (loop < 0 || w->summed[loop] != summed || !reads(w, loop)) continue;
    w->order[w->n++] = loop;
  }
}

/* Whether the summed loops are neighbours among the dimensions of `map`, in the order of those that
 * are gathered. */
static bool are_neighbours(const Windows *w, MlirAffineMap map) {
  intptr_t n = w->n - w->kept, start = -1;
  for (intptr_t r = 0; start < 0 && r < mlirAffineMapGetNumResults(map); ++r)
    if (tt_map_loop(map, r) == w->order[w->kept]) start = r;
  if (start < 0 || start + n > mlirAffineMapGetNumResults(map)) return false;
  for (intptr_t i = 0; i < n; ++i)
    if (tt_map_loop(map, start + i) != w->order[w->kept + i]) return false;
  return true;
}

/* Where rows of a window are no whole tiles, but several of them are, these are a dimension: what
 * they give is a core's work (copy_rows() of groups.c). */
static int64_t pair_of(const Windows *w) {
  if (w->kept == 0) return 1;
  int64_t row = w->extent[w->order[w->n - 1]], rows = w->extent[w->order[w->n - 2]],
          pair = row > 0 && row < TT_TILE && TT_TILE % row == 0 ? TT_TILE / row : 1;
  return rows > pair && rows % pair == 0 ? pair : 1;
}

/* In which order windows are gathered. */
static bool find_order(Windows *w) {
  MlirAffineMap out = tt_indexing_map(w->op, w->inputs);
  bool product = tt_is_product(w->op) || lacks_columns(w, tt_indexing_map(w->op, w->operand));
  MlirAffineMap other =
      product ? tt_indexing_map(w->op, 1 - w->operand)
              : mlirAffineMapMultiDimIdentityGet(mlirOperationGetContext(w->op), w->loops);
  if (!product) add_loops(w, other, true);
  add_loops(w, out, false);
  w->kept = product ? w->n : 0;
  if (product) add_loops(w, other, true);
  intptr_t all = 0;
  for (intptr_t d = 0; d < w->loops; ++d) all += reads(w, d);
  if (product && (w->n - w->kept < 2 || !are_neighbours(w, other))) w->kept = 0;
  if (!product || w->n != all) w->kept = 0;
  w->pair = pair_of(w);
  return w->n == all && w->n > 0;
}

/*===- Gathering ---------------------------------------------------------------------------===*/

/* How many dimensions what is gathered has. */
static intptr_t dims_of(const Windows *w) { return w->n + (w->pair > 1); }

/* The loop that is the i-th in the order, of the dimensions of what is gathered. */
static MlirAffineExpr loop_at(const Windows *w, MlirContext context, intptr_t i) {
  bool paired = w->pair > 1;
  if (!paired || i < w->n - 2) return mlirAffineDimExprGet(context, i);
  if (i == w->n - 1) return mlirAffineDimExprGet(context, w->n);
  MlirAffineExpr pair = mlirAffineMulExprGet(mlirAffineDimExprGet(context, i),
                                             mlirAffineConstantExprGet(context, w->pair));
  return mlirAffineAddExprGet(pair, mlirAffineDimExprGet(context, i + 1));
}

static MlirValue insert(TtBuilder *b, TtOpState s, MlirType type) {
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* An index of the operand, over the loops of what is gathered: `row`, the last of these, plus what
 * does not change along a row, where that is what it is. */
static MlirValue index_of(Windows *w, TtBuilder *b, MlirLocation loc, MlirAffineExpr e,
                          const MlirValue *ivs) {
  MlirContext context = b->context;
  MlirType index = mlirIndexTypeGet(context);
  int64_t last = w->order[w->n - 1];
  MlirAffineExpr at[MOST_LOOPS], zero = mlirAffineConstantExprGet(context, 0);
  for (intptr_t d = 0; d < w->loops; ++d) at[d] = zero;
  intptr_t dims = dims_of(w);
  for (intptr_t i = 0; i + 1 < w->n; ++i) at[w->order[i]] = loop_at(w, context, i);
  MlirAffineMap without = mlirAffineMapGet(context, dims, 0, w->loops, at);
  MlirAffineExpr rest = mlirAffineExprCompose(e, without);
  at[last] = loop_at(w, context, w->n - 1);
  MlirAffineExpr whole = mlirAffineExprCompose(e, mlirAffineMapGet(context, dims, 0, w->loops, at));
  bool row = mlirAffineExprEqual(whole, mlirAffineAddExprGet(rest, at[last])) ||
             mlirAffineExprEqual(whole, mlirAffineAddExprGet(at[last], rest));
  MlirAffineExpr applied = row ? rest : whole;
  if (row && mlirAffineExprEqual(rest, zero)) return ivs[dims - 1];
  TtOpState s = tt_op_state("affine.apply", loc);
  for (intptr_t i = 0; i < dims; ++i) tt_op_state_operand(&s, ivs[i]);
  tt_op_state_attr(&s, context, "map",
                   mlirAffineMapAttrGet(mlirAffineMapGet(context, dims, 0, 1, &applied)));
  MlirValue value = insert(b, s, index);
  if (!row) return value;
  TtOpState sum = tt_op_state("arith.addi", loc);
  tt_op_state_operand(&sum, ivs[dims - 1]);
  tt_op_state_operand(&sum, value);
  return insert(b, sum, index);
}

/* The body: one element of the operand. */
static void fill_body(Windows *w, MlirBlock body, MlirLocation loc, MlirValue image,
                      MlirAffineMap map) {
  TtBuilder b = {mlirOperationGetContext(w->op), body, {NULL}}; /* of an op to be */
  MlirValue ivs[MOST_LOOPS + 1];
  for (intptr_t i = 0; i < dims_of(w); ++i) {
    TtOpState s = tt_op_state("linalg.index", loc);
    tt_op_state_attr(&s, b.context, "dim", tt_i64_attr(b.context, i));
    ivs[i] = insert(&b, s, mlirIndexTypeGet(b.context));
  }
  MlirValue at[TT_SLICE_RANK];
  intptr_t rank = mlirAffineMapGetNumResults(map);
  for (intptr_t r = 0; r < rank; ++r)
    at[r] = index_of(w, &b, loc, mlirAffineMapGetResult(map, r), ivs);
  TtOpState load = tt_op_state("tensor.extract", loc), end = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&load, image);
  for (intptr_t r = 0; r < rank; ++r) tt_op_state_operand(&load, at[r]);
  tt_op_state_operand(&end,
                      insert(&b, load, mlirShapedTypeGetElementType(mlirValueGetType(image))));
  tt_builder_insert(&b, tt_op_state_finish(&end));
}

/* tensor.empty for what is gathered: open sizes are those of `image`. */
static MlirValue room(Windows *w, TtBuilder *b, MlirLocation loc, MlirType type, MlirValue image,
                      MlirAffineMap map) {
  TtOpState s = tt_op_state("tensor.empty", loc);
  for (intptr_t i = 0; i < w->n; ++i) {
    if (w->extent[w->order[i]] > 0) continue;
    intptr_t r = 0;
    while (tt_map_loop(map, r) != w->order[i]) ++r;
    tt_op_state_operand(&s, tt_tensor_dim(b, loc, image, r));
  }
  return insert(b, s, type);
}

/* The windows of `image`, which is read by `map`, a dimension a loop. */
static MlirValue gather(Windows *w, TtBuilder *b, MlirLocation loc, MlirValue image,
                        MlirAffineMap map) {
  MlirContext context = b->context;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(image));
  int64_t shape[MOST_LOOPS + 1];
  MlirAttribute kinds[MOST_LOOPS + 1],
      parallel = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>")),
      out = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, dims_of(w)));
  for (intptr_t i = 0; i < w->n; ++i) shape[i] = w->extent[w->order[i]];
  if (w->pair > 1)
    shape[w->n] = shape[w->n - 1], shape[w->n - 1] = w->pair, shape[w->n - 2] /= w->pair;
  for (intptr_t i = 0; i < dims_of(w); ++i) kinds[i] = parallel;
  MlirType type = mlirRankedTensorTypeGet(dims_of(w), shape, element, mlirAttributeGetNull());
  TtOpState s = tt_op_state("linalg.generic", loc);
  tt_op_state_operand(&s, room(w, b, loc, type, image, map));
  tt_op_state_attr(&s, context, "indexing_maps", mlirArrayAttrGet(context, 1, &out));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, dims_of(w), kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){0, 1}));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(1, &element, &loc);
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  fill_body(w, body, loc, image, map);
  return insert(b, s, type);
}

/*===- The op -------------------------------------------------------------------------------===*/

/* `value` with `n` dimensions from `first` on as one. */
static MlirValue collapse(TtBuilder *b, MlirLocation loc, MlirValue value, intptr_t first,
                          intptr_t n) {
  MlirContext context = b->context;
  MlirType type = mlirValueGetType(value);
  intptr_t rank = mlirShapedTypeGetRank(type), left = 0;
  int64_t shape[TT_SLICE_RANK];
  MlirAttribute groups[TT_SLICE_RANK];
  for (intptr_t d = 0; d < rank; ++left) {
    intptr_t m = d == first ? n : 1;
    MlirAttribute members[TT_SLICE_RANK];
    shape[left] = 1;
    for (intptr_t i = 0; i < m; ++i, ++d) {
      members[i] = tt_i64_attr(context, d);
      shape[left] *= mlirShapedTypeGetDimSize(type, d);
    }
    groups[left] = mlirArrayAttrGet(context, m, members);
  }
  MlirType flat = mlirRankedTensorTypeGet(left, shape, mlirShapedTypeGetElementType(type),
                                          mlirAttributeGetNull());
  return tt_reshape(b, loc, value, flat, mlirArrayAttrGet(context, left, groups), false, NULL);
}

/* Map `map` over the loops that are left where the summed ones of the window are one, the last. */
static MlirAffineMap over_left(const Windows *w, MlirAffineMap map) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[TT_SLICE_RANK];
  int64_t to[MOST_LOOPS];
  intptr_t left = 0, n = 0;
  for (intptr_t d = 0; d < w->loops; ++d) {
    bool window = false;
    for (intptr_t i = w->kept; i < w->n; ++i) window = window || w->order[i] == d;
    to[d] = window ? -1 : left++;
  }
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    int64_t loop = tt_map_loop(map, r), at = loop < 0 ? -1 : to[loop];
    if (at < 0 && loop != w->order[w->kept]) continue;
    results[n++] = mlirAffineDimExprGet(context, at < 0 ? left : at);
  }
  return mlirAffineMapGet(context, left + 1, 0, n, results);
}

/* Where the window is one dimension: of the gathered, of the other operand, and of the loops. */
static void make_one_loop(Windows *w, TtBuilder *b, MlirLocation loc, MlirValue windows) {
  MlirContext context = b->context;
  intptr_t n = w->n - w->kept, other = 1 - w->operand, first = 0;
  MlirAffineMap weights = tt_indexing_map(w->op, other);
  while (tt_map_loop(weights, first) != w->order[w->kept]) ++first;
  mlirOperationSetOperand(w->op, w->operand,
                          collapse(b, loc, windows, w->kept, dims_of(w) - w->kept));
  mlirOperationSetOperand(w->op, other,
                          collapse(b, loc, mlirOperationGetOperand(w->op, other), first, n));
  MlirAttribute maps[3], kinds[MOST_LOOPS], old = tt_op_attr(w->op, "iterator_types");
  for (intptr_t i = 0; i < 3; ++i)
    maps[i] = mlirAffineMapAttrGet(over_left(w, tt_indexing_map(w->op, i)));
  intptr_t left = 0;
  for (intptr_t d = 0; d < w->loops; ++d) {
    bool window = false;
    for (intptr_t i = w->kept; i < w->n; ++i) window = window || w->order[i] == d;
    if (!window) kinds[left++] = mlirArrayAttrGetElement(old, d);
  }
  kinds[left++] = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<reduction>"));
  mlirOperationSetInherentAttributeByName(w->op, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(context, 3, maps));
  mlirOperationSetInherentAttributeByName(w->op, tt_str("iterator_types"),
                                          mlirArrayAttrGet(context, left, kinds));
}

/* Whether an op only moves elements of one tensor to other dimensions. */
static bool is_move(MlirOperation op) {
  if (!tt_op_is(op, "linalg.generic") || tt_linalg_num_inputs(op) != 1 ||
      mlirOperationGetNumResults(op) != 1)
    return false;
  MlirOperation yield = mlirBlockGetFirstOperation(tt_body(op));
  return tt_op_is(yield, "linalg.yield") &&
         tt_value_eq(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(tt_body(op), 0)) &&
         mlirAffineMapIsIdentity(tt_indexing_map(op, 1)) &&
         mlirAffineMapIsPermutation(tt_indexing_map(op, 0));
}

/* Where `value`, which is read by `map`, was moved from: it, and how it is read. */
static MlirValue before_moves(MlirValue value, MlirAffineMap *map) {
  for (MlirOperation op; is_move(op = tt_defining_op(value));
       value = mlirOperationGetOperand(op, 0)) {
    MlirAffineMap in = tt_indexing_map(op, 0);
    MlirAffineExpr results[TT_SLICE_RANK];
    intptr_t rank = mlirAffineMapGetNumResults(in);
    for (intptr_t r = 0; r < rank; ++r)
      results[r] = mlirAffineMapGetResult(*map, tt_map_loop(in, r));
    *map = mlirAffineMapGet(mlirAffineMapGetContext(in), mlirAffineMapGetNumDims(*map), 0, rank,
                            results);
  }
  return value;
}

static void open(Windows *w) {
  MlirLocation loc = mlirOperationGetLocation(w->op);
  TtBuilder b = tt_builder_before(w->op);
  MlirAffineExpr results[MOST_LOOPS];
  MlirAffineMap map = tt_indexing_map(w->op, w->operand);
  MlirValue image = before_moves(mlirOperationGetOperand(w->op, w->operand), &map);
  MlirValue windows = gather(w, &b, loc, image, map);
  for (intptr_t i = 0; i < w->n; ++i) results[i] = mlirAffineDimExprGet(b.context, w->order[i]);
  tt_set_indexing_map(w->op, w->operand, mlirAffineMapGet(b.context, w->loops, 0, w->n, results));
  mlirOperationSetOperand(w->op, w->operand, windows);
  if (w->kept) make_one_loop(w, &b, loc, windows);
}

/*===- Slices ------------------------------------------------------------------------------===*/

/* Every so many elements of a tensor, from constant places on: a move that reads in steps. */
static void open_slice(MlirOperation slice) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(slice, 0));
  MlirValue whole = mlirOperationGetOperand(slice, 0);
  MlirAttribute starts = tt_op_attr(slice, "static_offsets"),
                steps = tt_op_attr(slice, "static_strides");
  intptr_t rank = mlirShapedTypeGetRank(type);
  bool stepped = false;
  MlirContext context = mlirOperationGetContext(slice);
  Windows w = {.op = slice, .loops = rank, .n = rank};
  if (mlirOperationGetNumOperands(slice) != 1 || !mlirShapedTypeHasStaticShape(type) ||
      rank != mlirShapedTypeGetRank(mlirValueGetType(whole)) || rank > MOST_LOOPS)
    return;
  MlirAffineExpr at[MOST_LOOPS];
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t step = mlirDenseI64ArrayGetElement(steps, d),
            start = mlirDenseI64ArrayGetElement(starts, d);
    MlirAffineExpr loop = mlirAffineDimExprGet(context, d),
                   by = mlirAffineConstantExprGet(context, step);
    if (step < 1) return;
    stepped = stepped || step != 1;
    at[d] = mlirAffineAddExprGet(mlirAffineMulExprGet(loop, by),
                                 mlirAffineConstantExprGet(context, start));
    w.extent[d] = mlirShapedTypeGetDimSize(type, d);
    w.order[d] = d;
  }
  if (!stepped) return;
  TtBuilder b = tt_builder_before(slice);
  MlirAffineMap map = mlirAffineMapGet(context, rank, 0, rank, at);
  tt_replace(slice, gather(&w, &b, mlirOperationGetLocation(slice), whole, map));
}

/*===- Moves --------------------------------------------------------------------------------===*/

/* Whether ops of the model compute a tensor, or what it is a part of. */
static bool is_computed(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  while (tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape") ||
         tt_op_is(op, "tensor.extract_slice"))
    op = tt_defining_op(mlirOperationGetOperand(op, 0));
  return !mlirOperationIsNull(op) && tt_is_linalg(op);
}

/* A move of elements whose result is seen as a matrix with columns of several of its dimensions:
 * patches of an image, as reshapes and transpositions make them. Where the last is no whole tiles,
 * blocks of what is moved are no blocks of the matrix. What is computed (the heads of attention) is
 * written where it goes by what computes it. */
static bool is_patches(Windows *w) {
  if (is_computed(mlirOperationGetOperand(w->op, 0))) return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(w->op, 0));
  if (!is_move(w->op) || mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return false;
  MlirOperation collapse = mlirOpOperandGetOwner(use);
  if (!tt_op_is(collapse, "tensor.collapse_shape")) return false;
  MlirAttribute groups = tt_op_attr(collapse, "reassociation");
  intptr_t n = mlirArrayAttrGetNumElements(groups);
  MlirType type = mlirValueGetType(mlirOperationGetResult(w->op, 0));
  return n >= 2 && mlirShapedTypeGetDimSize(type, mlirShapedTypeGetRank(type) - 1) % TT_TILE &&
         mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, n - 1)) > 1;
}

static void open_patches(Windows *w) {
  TtBuilder b = tt_builder_before(w->op);
  w->operand = 0;
  w->n = w->loops;
  for (intptr_t d = 0; d < w->n; ++d) w->order[d] = d;
  MlirValue image = mlirOperationGetOperand(w->op, 0);
  tt_replace(w->op,
             gather(w, &b, mlirOperationGetLocation(w->op), image, tt_indexing_map(w->op, 0)));
}

static bool open_all(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    Windows w = {.op = ops.data[i], .inputs = tt_linalg_num_inputs(ops.data[i])};
    if (mlirOperationGetNumResults(w.op) != 1 || tt_loads_elements(arena, w.op) ||
        tt_collect(arena, w.op, "linalg.index").n > 0)
      continue;
    if (find_operand(&w)) {
      if (find_loops(&w) && find_order(&w)) open(&w);
    } else if (is_patches(&w) && find_loops(&w)) open_patches(&w);
  }
  TtOps slices = tt_collect(arena, func, "tensor.extract_slice");
  for (intptr_t i = 0; i < slices.n; ++i) open_slice(slices.data[i]);
  tt_erase_dead(func);
  return true;
}

bool tt_run_open_windows(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, open_all);
}
