/*===- decompose_shapes.c - tensor ops as those that passes of models look through ------------===*/

#include "Transforms/Model/slice.h"

static bool is_static(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirShapedTypeGetRank(type) <= TT_SLICE_RANK;
}

/* tensor.concat: an empty tensor, into which one part is put after the other. */
static void split_concat(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  if (!is_static(result)) return;
  for (intptr_t i = 0; i < n; ++i)
    if (!is_static(mlirOperationGetOperand(op, i))) return;
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(result);
  intptr_t dim = (intptr_t)tt_int(tt_op_attr(op, "dim"));
  MlirValue whole = tt_empty(&b, loc, type);
  TtSlice slice = {.rank = mlirShapedTypeGetRank(type)};
  for (intptr_t i = 0; i < n; ++i) {
    slice.part = mlirOperationGetOperand(op, i);
    slice.whole = whole;
    for (intptr_t d = 0; d < slice.rank; ++d)
      slice.size[d].number = mlirShapedTypeGetDimSize(mlirValueGetType(slice.part), d);
    whole = tt_slice_create(&b, loc, "tensor.insert_slice", &slice, type);
    slice.offset[dim].number += slice.size[dim].number;
  }
  tt_replace(op, whole);
}

/* All dimensions of `type` as one. */
static MlirAttribute all_dims(MlirContext context, MlirType type) {
  MlirAttribute members[TT_SLICE_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d) members[d] = tt_i64_attr(context, d);
  MlirAttribute group = mlirArrayAttrGet(context, rank, members);
  return mlirArrayAttrGet(context, 1, &group);
}

/* tensor.reshape to a shape that its type says: one dimension, and what that becomes. */
static void split_reshape(MlirOperation op) {
  MlirValue from = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  if (!is_static(from) || !is_static(result)) return;
  MlirType before = mlirValueGetType(from), after = mlirValueGetType(result);
  if (mlirShapedTypeGetRank(before) == 0 || mlirShapedTypeGetRank(after) == 0) return;
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  int64_t n = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(before); ++d)
    n *= mlirShapedTypeGetDimSize(before, d);
  MlirType flat =
      mlirRankedTensorTypeGet(1, &n, mlirShapedTypeGetElementType(before), mlirAttributeGetNull());
  if (mlirShapedTypeGetRank(before) > 1)
    from = tt_reshape(&b, loc, from, flat, all_dims(b.context, before), false, NULL);
  if (mlirShapedTypeGetRank(after) > 1)
    from = tt_reshape(&b, loc, from, after, all_dims(b.context, after), true, NULL);
  tt_replace(op, from);
}

/* tensor.splat of constant sizes: a fill. */
static void fill_splat(MlirOperation op) {
  MlirValue number = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  if (!is_static(result)) return;
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType types[] = {mlirValueGetType(number), mlirValueGetType(number)};
  TtOpState s = tt_op_state("linalg.fill", loc), end = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&s, number);
  tt_op_state_operand(&s, tt_empty(&b, loc, mlirValueGetType(result)));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){1, 1}));
  tt_op_state_result(&s, mlirValueGetType(result));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(2, types, (MlirLocation[]){loc, loc});
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  tt_op_state_operand(&end, mlirBlockGetArgument(body, 0));
  mlirBlockAppendOwnedOperation(body, tt_op_state_finish(&end));
  MlirOperation fill = tt_builder_insert(&b, tt_op_state_finish(&s));
  tt_replace(op, mlirOperationGetResult(fill, 0));
}

void tt_decompose_shapes(TtArena *arena, MlirOperation func) {
  TtOps concats = tt_collect(arena, func, "tensor.concat");
  for (intptr_t i = 0; i < concats.n; ++i) split_concat(concats.data[i]);
  TtOps reshapes = tt_collect(arena, func, "tensor.reshape");
  for (intptr_t i = 0; i < reshapes.n; ++i) split_reshape(reshapes.data[i]);
  TtOps splats = tt_collect(arena, func, "tensor.splat");
  for (intptr_t i = 0; i < splats.n; ++i) fill_splat(splats.data[i]);
}
