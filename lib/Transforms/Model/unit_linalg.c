/*===- unit_linalg.c - linalg ops without dimensions of one element -------------------------===*/

#include "Transforms/Model/unit_dims.h"

#include "mlir-c/AffineExpr.h"

intptr_t tt_kept_dims(MlirType type, bool *keeps) {
  intptr_t rank = mlirShapedTypeGetRank(type), n = 0;
  for (intptr_t d = 0; d < rank; ++d) n += keeps[d] = mlirShapedTypeGetDimSize(type, d) != 1;
  return n;
}

bool tt_has_units(MlirType type) {
  bool keeps[TT_SLICE_RANK];
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) <= TT_SLICE_RANK &&
         tt_kept_dims(type, keeps) < mlirShapedTypeGetRank(type);
}

MlirType tt_without_units(MlirType type) {
  bool keeps[TT_SLICE_RANK];
  int64_t shape[TT_SLICE_RANK];
  intptr_t n = 0;
  tt_kept_dims(type, keeps);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (keeps[d]) shape[n++] = mlirShapedTypeGetDimSize(type, d);
  return mlirRankedTensorTypeGet(n, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

/* Map `map` of an operand of type `type` without its results for dropped dimensions. */
static MlirAffineMap drop_results(MlirAffineMap map, MlirType type) {
  bool keeps[TT_SLICE_RANK];
  MlirAffineExpr results[TT_SLICE_RANK];
  intptr_t n = 0;
  tt_kept_dims(type, keeps);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (keeps[r]) results[n++] = mlirAffineMapGetResult(map, r);
  return mlirAffineMapGet(mlirAffineMapGetContext(map), mlirAffineMapGetNumDims(map), 0, n,
                          results);
}

/* Whether `loop` has more than one step: then it is a dimension of an operand that is kept. */
static bool is_dimension(MlirAffineMap map, intptr_t loop) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (tt_map_loop(map, r) == loop) return true;
  return false;
}

/* Loops of one step are dropped from maps, kinds of loops and indices. */
static void drop_loops(TtArena *arena, MlirOperation op, intptr_t operands, MlirAffineMap *maps) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t loops = mlirAffineMapGetNumDims(maps[0]), kept = 0;
  MlirAffineExpr *to = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *to);
  MlirAttribute kinds = tt_op_attr(op, "iterator_types"),
                *left = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *left);
  for (intptr_t d = 0; d < loops; ++d) {
    bool used = false;
    for (intptr_t i = 0; i < operands; ++i) used = used || is_dimension(maps[i], d);
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

void tt_drop_units_in_linalg(TtArena *arena, MlirOperation op) {
  if (mlirAttributeIsNull(tt_op_attr(op, "indexing_maps"))) return; /* a fill */
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirAffineMap *maps = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *maps);
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    maps[i] = tt_indexing_map(op, i);
    if (tt_has_units(type)) maps[i] = drop_results(maps[i], type);
  }
  drop_loops(arena, op, n, maps);
}
