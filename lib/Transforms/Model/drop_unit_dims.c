/*===- drop_unit_dims.c - --tt-drop-unit-dims ------------------------------------------------===
 *
 * Values inside of grids lose dimensions of one element, and ops their loops: what is left are
 * matrices and vectors, as kernels compute on them.
 *
 *   before  %a = tensor.extract_slice %x[%h, %t, 0] [1, 32, 64] : … to tensor<1x32x64xbf16>
 *           linalg.contract [(h, m, n, k) -> (h, m, k), …] ins(%a, …)
 *   after   %a = tensor.extract_slice %x[%h, %t, 0] [1, 32, 64] : … to tensor<32x64xbf16>
 *           linalg.contract [(m, n, k) -> (m, k), …] ins(%a, …)
 *
 * A tensor of one element keeps a dimension.
 *
 * Requires --tt-schedule-model.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/AffineExpr.h"

/*===- Types -------------------------------------------------------------------------------===*/

/* Which dimensions are kept: `keeps`; how many. */
static intptr_t kept_dims(MlirType type, bool *keeps) {
  intptr_t rank = mlirShapedTypeGetRank(type), n = 0;
  for (intptr_t d = 0; d < rank; ++d) n += keeps[d] = mlirShapedTypeGetDimSize(type, d) != 1;
  if (n == 0 && rank > 0) n += keeps[rank - 1] = true;
  return n;
}

static MlirType without_units(MlirType type) {
  bool keeps[TT_SLICE_RANK];
  int64_t shape[TT_SLICE_RANK];
  intptr_t n = 0;
  kept_dims(type, keeps);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (keeps[d]) shape[n++] = mlirShapedTypeGetDimSize(type, d);
  return mlirRankedTensorTypeGet(n, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

static bool is_droppable(MlirType type) {
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) <= TT_SLICE_RANK;
}

/*===- linalg ------------------------------------------------------------------------------===*/

/* Map `map` of an operand of type `type` without its results for dropped dimensions. */
static MlirAffineMap drop_results(MlirAffineMap map, MlirType type) {
  bool keeps[TT_SLICE_RANK];
  MlirAffineExpr results[TT_SLICE_RANK];
  intptr_t n = 0;
  kept_dims(type, keeps);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (keeps[r]) results[n++] = mlirAffineMapGetResult(map, r);
  return mlirAffineMapGet(mlirAffineMapGetContext(map), mlirAffineMapGetNumDims(map), 0, n,
                          results);
}

static bool mentions(MlirAffineMap map, intptr_t loop) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, r), loop)) return true;
  return false;
}

/* Loops that no map mentions are dropped from maps, kinds of loops and indices. */
static void drop_loops(TtArena *arena, MlirOperation op, intptr_t operands, MlirAffineMap *maps) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t loops = mlirAffineMapGetNumDims(maps[0]), kept = 0;
  MlirAffineExpr *to = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *to);
  MlirAttribute kinds = tt_op_attr(op, "iterator_types"),
                *left = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *left);
  for (intptr_t d = 0; d < loops; ++d) {
    bool used = false;
    for (intptr_t i = 0; i < operands; ++i) used = used || mentions(maps[i], d);
    to[d] = used ? mlirAffineDimExprGet(context, kept) : mlirAffineConstantExprGet(context, 0);
    if (used && !mlirAttributeIsNull(kinds)) left[kept] = mlirArrayAttrGetElement(kinds, d);
    kept += used;
  }
  MlirAffineMap by = mlirAffineMapGet(context, kept, 0, loops, to);
  MlirAttribute *attrs = tt_arena_alloc(arena, (size_t)(operands + 1) * sizeof *attrs);
  for (intptr_t i = 0; i < operands; ++i) {
    intptr_t rank = mlirAffineMapGetNumResults(maps[i]);
    MlirAffineExpr results[TT_SLICE_RANK];
    for (intptr_t r = 0; r < rank; ++r)
      results[r] = mlirAffineExprCompose(mlirAffineMapGetResult(maps[i], r), by);
    attrs[i] = mlirAffineMapAttrGet(mlirAffineMapGet(context, kept, 0, rank, results));
  }
  mlirOperationSetInherentAttributeByName(op, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(context, operands, attrs));
  if (!mlirAttributeIsNull(kinds))
    mlirOperationSetInherentAttributeByName(op, tt_str("iterator_types"),
                                            mlirArrayAttrGet(context, kept, left));
  TtOps indices = tt_collect(arena, op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i) {
    MlirOperation index = indices.data[i];
    MlirAffineExpr expr = to[tt_int(tt_op_attr(index, "dim"))];
    TtBuilder b = tt_builder_before(index);
    if (mlirAffineExprIsADim(expr))
      mlirOperationSetInherentAttributeByName(
          index, tt_str("dim"), tt_i64_attr(context, mlirAffineDimExprGetPosition(expr)));
    else tt_replace(index, tt_index(&b, mlirOperationGetLocation(index), 0));
  }
}

static void drop_in_linalg(TtArena *arena, MlirOperation op) {
  if (mlirAttributeIsNull(tt_op_attr(op, "indexing_maps"))) return; /* a fill */
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirAffineMap *maps = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *maps);
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    maps[i] = tt_indexing_map(op, i);
    if (is_droppable(type)) maps[i] = drop_results(maps[i], type);
  }
  drop_loops(arena, op, n, maps);
}

/*===- Slices ------------------------------------------------------------------------------===*/

/* Whether `value` is one whose type changes: of an op inside of `grid`, but not what the grid
 * writes. */
static bool is_inside(MlirOperation grid, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return !mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(grid)) &&
           !tt_is_null_value(value) &&
           !mlirOperationIsNull(tt_ancestor_in(
               tt_body(grid), mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))));
  return !mlirOperationIsNull(tt_ancestor_in(tt_body(grid), tt_defining_op(value)));
}

static void drop_in_slice(MlirOperation grid, MlirOperation op) {
  TtSlice slice;
  if (!tt_slice_read(op, &slice) || !is_inside(grid, slice.whole)) return;
  bool keeps[TT_SLICE_RANK];
  intptr_t n = 0;
  kept_dims(mlirValueGetType(slice.whole), keeps);
  for (intptr_t d = 0; d < slice.rank; ++d) {
    if (!keeps[d]) continue;
    slice.offset[n] = slice.offset[d];
    slice.size[n++] = slice.size[d];
  }
  slice.rank = n;
  tt_slice_replace(op, &slice,
                   tt_is_extraction(op) ? mlirValueGetType(mlirOperationGetResult(op, 0))
                                        : (MlirType){NULL});
}

/*===- Grids -------------------------------------------------------------------------------===*/

static void drop_in_types(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (is_droppable(mlirValueGetType(result)))
      mlirValueSetType(result, without_units(mlirValueGetType(result)));
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (intptr_t i = 0; !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); ++i) {
      MlirValue arg = mlirBlockGetArgument(block, i);
      if (is_droppable(mlirValueGetType(arg)))
        mlirValueSetType(arg, without_units(mlirValueGetType(arg)));
    }
  }
}

static bool drop_in_grid(TtArena *arena, MlirOperation grid) {
  TtOps ops = tt_collect(arena, grid, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_linalg(ops.data[i]) && !tt_op_is(ops.data[i], "linalg.index"))
      drop_in_linalg(arena, ops.data[i]);
  ops = tt_collect(arena, grid, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_extraction(ops.data[i]) || tt_is_insertion(ops.data[i]))
      drop_in_slice(grid, ops.data[i]);
  ops = tt_collect(arena, grid, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) drop_in_types(ops.data[i]);
  /* Reshapes between shapes that differ in units only. */
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if ((tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape")) &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                      mlirValueGetType(mlirOperationGetResult(op, 0))))
      tt_replace(op, mlirOperationGetOperand(op, 0));
  }
  return true;
}

static bool drop(TtArena *arena, MlirOperation func) {
  TtOps grids = tt_collect(arena, func, "scf.forall");
  for (intptr_t i = 0; i < grids.n; ++i)
    if (!drop_in_grid(arena, grids.data[i])) return false;
  return true;
}

bool tt_run_drop_unit_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, drop);
}
