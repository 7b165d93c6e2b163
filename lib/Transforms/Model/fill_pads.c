/*===- fill_pads.c - --tt-fill-pads ----------------------------------------------------------===
 *
 * A padded tensor is a filled one into which the other is put: what computes that writes it where
 * it belongs.
 *
 *   before  %p = tensor.pad %x low[1, 1, 0] high[1, 1, 0] { tensor.yield %zero }
 *   after   %e = tensor.empty()   %f = linalg.generic { yield %zero } outs(%e)
 *           %c = linalg.generic { yield %in } ins(%x)
 *           %p = tensor.insert_slice %c into %f[1, 1, 0]
 *
 * What is put into a tensor otherwise (tensor.insert_slice) is copied by an op as well, where it is
 * a reshape, a part or an argument; and so is a part that is a result.
 *
 * Sizes that are open are not padded, as of batches; what is padded with is from outside of the
 * op.
 *
 * Refuses what is put behind something of open size.
 *
 * Requires generalized ops on tensors.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

/* tensor.empty of a type whose open sizes are those of `like`. */
static MlirValue empty_of(TtBuilder *b, MlirLocation loc, MlirType type, MlirValue like) {
  TtOpState s = tt_op_state("tensor.empty", loc);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (mlirShapedTypeIsDynamicDim(type, d))
      tt_op_state_operand(&s, tt_tensor_dim(b, loc, like, d));
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* An elementwise op that yields its input, a tensor or a number, for each element of `type`, whose
 * open sizes are those of `like`. */
static MlirValue move(TtBuilder *b, MlirLocation loc, MlirValue input, MlirType type,
                      MlirValue like) {
  MlirContext context = b->context;
  intptr_t rank = mlirShapedTypeGetRank(type);
  bool shaped = mlirTypeIsAShaped(mlirValueGetType(input));
  MlirValue empty = empty_of(b, loc, type, like);
  MlirAttribute kinds[TT_SLICE_RANK],
      parallel = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>")),
      whole = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, rank)),
      none = mlirAffineMapAttrGet(mlirAffineMapZeroResultGet(context, rank, 0));
  for (intptr_t d = 0; d < rank; ++d) kinds[d] = parallel;
  TtOpState s = tt_op_state("linalg.generic", loc);
  tt_op_state_operand(&s, input);
  tt_op_state_operand(&s, empty);
  tt_op_state_attr(&s, context, "indexing_maps",
                   mlirArrayAttrGet(context, 2, (MlirAttribute[]){shaped ? whole : none, whole}));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, rank, kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){1, 1}));
  tt_op_state_result(&s, type);
  MlirType element = mlirShapedTypeGetElementType(type), args[2] = {element, element};
  MlirLocation places[2] = {loc, loc};
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(2, args, places);
  mlirRegionAppendOwnedBlock(region, block);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtOpState y = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&y, mlirBlockGetArgument(block, 0));
  mlirBlockAppendOwnedOperation(block, tt_op_state_finish(&y));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* The constants of one side; false where one is none. */
static bool padding(MlirOperation pad, const char *side, intptr_t rank, intptr_t *operand,
                    int64_t *out) {
  MlirAttribute given = tt_op_attr(pad, side);
  for (intptr_t d = 0; d < rank; ++d) {
    out[d] = mlirDenseI64ArrayGetElement(given, d);
    if (out[d] == mlirShapedTypeGetDynamicSize() && /* upstream makes constants such */
        !tt_constant(mlirOperationGetOperand(pad, (*operand)++), &out[d]))
      return false;
  }
  return true;
}

static void fill_pad(MlirOperation pad) {
  MlirLocation loc = mlirOperationGetLocation(pad);
  MlirValue source = mlirOperationGetOperand(pad, 0),
            with = mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(pad)), 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(pad, 0)),
           small = mlirValueGetType(source);
  intptr_t rank = mlirShapedTypeGetRank(type);
  bool outside = mlirValueIsABlockArgument(with) ||
                 mlirBlockEqual(mlirOperationGetBlock(tt_defining_op(with)), tt_body(pad));
  if (outside || rank > TT_SLICE_RANK) return;
  TtBuilder b = tt_builder_before(pad);
  TtSlice slice = {.rank = rank};
  intptr_t operand = 1;
  int64_t low[TT_SLICE_RANK], high[TT_SLICE_RANK];
  if (!padding(pad, "static_low", rank, &operand, low) ||
      !padding(pad, "static_high", rank, &operand, high))
    return;
  for (intptr_t d = 0; d < rank; ++d) {
    bool open = mlirShapedTypeIsDynamicDim(small, d);
    if (low[d] < 0 || high[d] < 0 || open != mlirShapedTypeIsDynamicDim(type, d) ||
        (open && (low[d] > 0 || high[d] > 0)))
      return;
    slice.offset[d].number = low[d];
    slice.size[d].number = mlirShapedTypeGetDimSize(small, d);
  }
  for (intptr_t d = 0; d < rank; ++d)
    if (mlirShapedTypeIsDynamicDim(small, d))
      slice.size[d].value = tt_tensor_dim(&b, loc, source, d);
  slice.whole = move(&b, loc, with, type, source);
  slice.part = move(&b, loc, source, small, source);
  tt_replace(pad, tt_slice_create(&b, loc, "tensor.insert_slice", &slice, type));
}

/* Whether an op can give what it does where it is put: nothing behind it has to be put into that
 * tensor before, as what is copied there. */
static bool can_write(MlirOperation from, MlirOperation insert) {
  if (mlirOperationIsNull(from) || !tt_is_linalg(from)) return false;
  while (tt_op_is(insert, "tensor.insert_slice")) {
    insert = tt_defining_op(mlirOperationGetOperand(insert, 1));
    if (!tt_op_is(insert, "tensor.insert_slice")) break;
    MlirOperation before = tt_defining_op(mlirOperationGetOperand(insert, 0));
    if (!mlirOperationIsNull(before) &&
        mlirBlockEqual(mlirOperationGetBlock(before), mlirOperationGetBlock(from)) &&
        tt_is_before(from, before))
      return false;
  }
  return true;
}

/* What is put into a tensor comes from an op, whose kernel can write it there. */
static void move_part(MlirOperation user, intptr_t operand) {
  MlirValue part = mlirOperationGetOperand(user, operand);
  MlirType type = mlirValueGetType(part);
  MlirOperation from = tt_defining_op(part);
  if (can_write(from, user) || !mlirTypeIsARankedTensor(type) ||
      !mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) > TT_SLICE_RANK ||
      mlirShapedTypeGetRank(type) == 0)
    return;
  TtBuilder b = tt_builder_before(user);
  MlirLocation loc = mlirOperationGetLocation(mlirOperationIsNull(from) ? user : from);
  mlirOperationSetOperand(user, operand, move(&b, loc, part, type, part));
}

/* What is put behind something of open size has no place that is known, and may begin inside of a
 * tile. Of an argument, or of what a loop carries, as a cache, the place is that of the index. */
static bool check_place(MlirOperation insert) {
  TtSlice slice;
  if (!tt_slice_read(insert, &slice)) return true;
  MlirType type = mlirValueGetType(slice.whole);
  if (mlirValueIsABlockArgument(slice.whole)) return true;
  for (intptr_t d = 0; d < slice.rank; ++d)
    if (mlirShapedTypeIsDynamicDim(type, d) &&
        (!tt_is_null_value(slice.offset[d].value) || slice.offset[d].number != 0))
      return tt_error(
          insert,
          "puts a tensor into another one along dimension %jd, whose size is open: give "
          "the tensors that are put together constant sizes, or write to a tensor of "
          "constant size at an index, as to a cache",
          (intmax_t)d);
  return true;
}

static bool fill_pads(TtArena *arena, MlirOperation func) {
  TtOps pads = tt_collect(arena, func, "tensor.pad");
  for (intptr_t i = 0; i < pads.n; ++i) fill_pad(pads.data[i]);
  TtOps inserts = tt_collect(arena, func, "tensor.insert_slice");
  for (intptr_t i = 0; i < inserts.n; ++i)
    if (!check_place(inserts.data[i])) return false;
  for (intptr_t i = 0; i < inserts.n; ++i) move_part(inserts.data[i], 0);
  MlirOperation end = mlirBlockGetTerminator(tt_body(func));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
    if (tt_is_extraction(tt_defining_op(mlirOperationGetOperand(end, i)))) move_part(end, i);
  return true;
}

bool tt_run_fill_pads(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, fill_pads);
}
