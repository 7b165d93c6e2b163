/*===- keep_blocks.c - --tt-keep-blocks -------------------------------------------------------===
 *
 * A block that a grid gives and works on further is its own, and is copied to where it goes: a
 * kernel does not read back what it has written to DRAM.
 *
 *   before  scf.forall … shared_outs(%o = …) {
 *             %part = tensor.extract_slice %o …   %s = linalg.generic ins(%x) outs(%part) …
 *             … linalg.generic ins(%s) …   tensor.parallel_insert_slice %s into %o … }
 *   after   scf.forall … shared_outs(%o = …) {
 *             %own = tensor.empty()   %s = linalg.generic ins(%x) outs(%own) …
 *             %part = tensor.extract_slice %o …   %c = linalg.generic ins(%s) outs(%part) { yield }
 *             … linalg.generic ins(%s) …   tensor.parallel_insert_slice %c into %o … }
 *
 * Requires grids on tensors. What starts from what its output held stays as it is. Upstream's
 * canonicalization would take the copy out: none may come before bufferization.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

static bool is_view(MlirOperation op) {
  return tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape");
}

static bool has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/* Whether a grid gives `value`, or what only it is a view of. */
static bool is_given(MlirOpOperand use) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  if (tt_op_is(user, "tensor.parallel_insert_slice"))
    return mlirOpOperandGetOperandNumber(use) == 0;
  if (!is_view(user) || !has_one_use(mlirOperationGetResult(user, 0))) return false;
  return is_given(mlirValueGetFirstUse(mlirOperationGetResult(user, 0)));
}

/* %c = the elements of `value`, put into `part`, after `op`. */
static MlirValue copy_to(MlirOperation op, MlirValue value, MlirValue part) {
  TtBuilder b = tt_builder_after(op);
  MlirContext context = b.context;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(value), element = mlirShapedTypeGetElementType(type);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirAttribute kinds[TT_SLICE_RANK],
      parallel = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>")),
      whole = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, rank));
  for (intptr_t d = 0; d < rank; ++d) kinds[d] = parallel;
  TtOpState s = tt_op_state("linalg.generic", loc);
  tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, part);
  tt_op_state_attr(&s, context, "indexing_maps",
                   mlirArrayAttrGet(context, 2, (MlirAttribute[]){whole, whole}));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, rank, kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){1, 1}));
  tt_op_state_result(&s, type);
  MlirBlock block = mlirBlockCreate(2, (MlirType[]){element, element}, (MlirLocation[]){loc, loc});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtOpState y = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&y, mlirBlockGetArgument(block, 0));
  mlirBlockAppendOwnedOperation(block, tt_op_state_finish(&y));
  return mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
}

static void keep_block(MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  intptr_t out = tt_linalg_num_inputs(op);
  MlirOpOperand given = {NULL};
  bool read = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    if (is_given(use)) given = use;
    else read = true;
  }
  if (mlirOpOperandIsNull(given) || !read ||
      mlirShapedTypeGetRank(mlirValueGetType(value)) > TT_SLICE_RANK ||
      tt_has_uses(mlirBlockGetArgument(tt_body(op), out)))
    return;
  TtBuilder b = tt_builder_before(op);
  MlirValue part = mlirOperationGetOperand(op, out),
            own = tt_empty_like(&b, mlirOperationGetLocation(op), part);
  MlirOperation user = mlirOpOperandGetOwner(given);
  intptr_t operand = mlirOpOperandGetOperandNumber(given);
  mlirOperationSetOperand(op, out, own);
  mlirOperationSetOperand(user, operand, copy_to(op, value, part));
}

static bool keep_blocks(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (mlirOperationGetNumResults(ops.data[i]) == 1 &&
        tt_op_is(tt_parent(ops.data[i]), "scf.forall"))
      keep_block(ops.data[i]);
  return true;
}

bool tt_run_keep_blocks(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, keep_blocks);
}
