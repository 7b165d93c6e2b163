/*===- slice.c - slices of tensors -----------------------------------------------------------===*/

#include "Transforms/Model/slice.h"

bool tt_is_extraction(MlirOperation op) { return tt_op_is(op, "tensor.extract_slice"); }

bool tt_is_insertion(MlirOperation op) {
  return tt_op_is(op, "tensor.insert_slice") || tt_op_is(op, "tensor.parallel_insert_slice");
}

static void read_list(MlirOperation op, const char *name, intptr_t *operand, intptr_t rank,
                      TtSize *sizes) {
  MlirAttribute numbers = tt_op_attr(op, name);
  for (intptr_t i = 0; i < rank; ++i) {
    sizes[i] = (TtSize){{NULL}, mlirDenseI64ArrayGetElement(numbers, i)};
    if (sizes[i].number == mlirShapedTypeGetDynamicSize())
      sizes[i].value = mlirOperationGetOperand(op, (*operand)++);
  }
}

bool tt_slice_read_steps(MlirOperation op, TtSlice *slice, TtSize *steps) {
  intptr_t operand = tt_is_extraction(op) ? 1 : 2;
  *slice = (TtSlice){.whole = mlirOperationGetOperand(op, operand - 1)};
  if (operand == 2) slice->part = mlirOperationGetOperand(op, 0);
  slice->rank = mlirShapedTypeGetRank(mlirValueGetType(slice->whole));
  if (slice->rank > TT_SLICE_RANK) return false;
  read_list(op, "static_offsets", &operand, slice->rank, slice->offset);
  read_list(op, "static_sizes", &operand, slice->rank, slice->size);
  read_list(op, "static_strides", &operand, slice->rank, steps);
  return true;
}

bool tt_slice_read(MlirOperation op, TtSlice *slice) {
  TtSize steps[TT_SLICE_RANK];
  if (!tt_slice_read_steps(op, slice, steps)) return false;
  for (intptr_t i = 0; i < slice->rank; ++i)
    if (!tt_is_null_value(steps[i].value) || steps[i].number != 1) return false;
  return true;
}

static int32_t add_list(TtOpState *s, MlirContext context, const char *name, const TtSize *sizes,
                        intptr_t rank) {
  int64_t numbers[TT_SLICE_RANK];
  int32_t operands = 0;
  for (intptr_t i = 0; i < rank; ++i) {
    bool constant = !sizes || tt_is_null_value(sizes[i].value);
    numbers[i] = !sizes ? 1 : constant ? sizes[i].number : mlirShapedTypeGetDynamicSize();
    if (!constant) tt_op_state_operand(s, sizes[i].value);
    operands += !constant;
  }
  tt_op_state_attr(s, context, name, mlirDenseI64ArrayGet(context, rank, numbers));
  return operands;
}

static MlirOperation create(TtBuilder *b, MlirLocation loc, MlirStringRef name,
                            const TtSlice *slice, MlirType result) {
  TtOpState s = mlirOperationStateGet(name, loc);
  bool inserts = !tt_is_null_value(slice->part);
  int32_t segments[5] = {1, 1};
  int n = 1 + inserts;
  tt_op_state_operand(&s, slice->part);
  tt_op_state_operand(&s, slice->whole);
  segments[n++] = add_list(&s, b->context, "static_offsets", slice->offset, slice->rank);
  segments[n++] = add_list(&s, b->context, "static_sizes", slice->size, slice->rank);
  segments[n++] = add_list(&s, b->context, "static_strides", NULL, slice->rank);
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, n, segments));
  if (!mlirTypeIsNull(result)) tt_op_state_result(&s, result);
  return tt_builder_insert(b, tt_op_state_finish(&s));
}

MlirValue tt_slice_create(TtBuilder *b, MlirLocation loc, const char *name, const TtSlice *slice,
                          MlirType result) {
  return mlirOperationGetResult(create(b, loc, tt_str(name), slice, result), 0);
}

MlirOperation tt_slice_replace(MlirOperation op, const TtSlice *slice, MlirType result) {
  bool has_result = mlirOperationGetNumResults(op) == 1;
  if (!tt_is_null_value(slice->part))
    result = has_result ? mlirValueGetType(slice->whole) : (MlirType){NULL};
  TtBuilder b = tt_builder_before(op);
  MlirOperation made = create(&b, mlirOperationGetLocation(op), tt_op_name(op), slice, result);
  if (has_result) tt_replace(op, mlirOperationGetResult(made, 0));
  else mlirOperationDestroy(op);
  return made;
}

MlirValue tt_tensor_dim(TtBuilder *b, MlirLocation loc, MlirValue value, intptr_t d) {
  TtOpState s = tt_op_state("tensor.dim", loc);
  tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, tt_index(b, loc, d));
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* The size of dimension `d` of `value` expanded to `type`, which leaves it open: the only one of
 * its group that is. */
static MlirValue open_size(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type,
                           MlirAttribute groups, intptr_t d) {
  intptr_t group = 0, first = 0, n;
  while (first + (n = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, group))) <= d)
    first += n, ++group;
  int64_t others = 1;
  for (intptr_t i = first; i < first + n; ++i)
    if (i != d) others *= mlirShapedTypeGetDimSize(type, i);
  MlirValue size = tt_tensor_dim(b, loc, value, group);
  if (others == 1) return size;
  TtOpState quotient = tt_op_state("arith.divui", loc);
  tt_op_state_operand(&quotient, size);
  tt_op_state_operand(&quotient, tt_index(b, loc, others));
  tt_op_state_result(&quotient, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&quotient)), 0);
}

MlirValue tt_reshape(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type,
                     MlirAttribute groups, bool expands, const TtSlice *sizes) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  TtOpState s = tt_op_state(expands ? "tensor.expand_shape" : "tensor.collapse_shape", loc);
  tt_op_state_operand(&s, value);
  if (expands) {
    int64_t shape[2 * TT_SLICE_RANK];
    for (intptr_t d = 0; d < rank; ++d) {
      shape[d] = mlirShapedTypeGetDimSize(type, d);
      if (shape[d] >= 0) continue;
      tt_op_state_operand(&s,
                          sizes ? sizes->size[d].value : open_size(b, loc, value, type, groups, d));
    }
    tt_op_state_attr(&s, b->context, "static_output_shape",
                     mlirDenseI64ArrayGet(b->context, rank, shape));
  }
  tt_op_state_attr(&s, b->context, "reassociation", groups);
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_empty(TtBuilder *b, MlirLocation loc, MlirType type) {
  TtOpState s = tt_op_state("tensor.empty", loc);
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_empty_like(TtBuilder *b, MlirLocation loc, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirValue sizes[TT_SLICE_RANK];
  intptr_t n = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (!mlirShapedTypeIsDynamicDim(type, d) || n == TT_SLICE_RANK) continue;
    sizes[n++] = tt_tensor_dim(b, loc, value, d);
  }
  TtOpState s = tt_op_state("tensor.empty", loc);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, sizes[i]);
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_read_by(TtBuilder *b, MlirLocation loc, MlirValue value, MlirAffineMap map,
                     MlirValue out) {
  MlirContext context = b->context;
  MlirType type = mlirValueGetType(out);
  MlirType ends[] = {mlirShapedTypeGetElementType(mlirValueGetType(value)),
                     mlirShapedTypeGetElementType(type)};
  intptr_t loops = mlirShapedTypeGetRank(type);
  MlirAttribute kinds[TT_SLICE_RANK],
      maps[] = {mlirAffineMapAttrGet(map),
                mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, loops))};
  for (intptr_t i = 0; i < loops; ++i)
    kinds[i] = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>"));
  TtOpState s = tt_op_state("linalg.generic", loc);
  tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, out);
  tt_op_state_attr(&s, context, "indexing_maps", mlirArrayAttrGet(context, 2, maps));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, loops, kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){1, 1}));
  tt_op_state_result(&s, type);
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(2, ends, (MlirLocation[]){loc, loc});
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtOpState end = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&end, mlirBlockGetArgument(body, 0));
  mlirBlockAppendOwnedOperation(body, tt_op_state_finish(&end));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}
