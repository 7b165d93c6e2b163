/*===- merge_users.c - ops that take the same, and put what they give into one tensor ---------===
 *
 *   before  %r = linalg.generic ins(%a, %b) …   %o1 = tensor.insert_slice %r into %empty[0, 0] …
 *           %s = linalg.generic ins(%b, %a) …   %o2 = tensor.insert_slice %s into %o1[0, 32] …
 *   after   %r:2 = linalg.generic ins(%a, %b, %b, %a) outs(%empty[0, 0], %empty[0, 32]) …
 *           %o1 = tensor.insert_slice %r#0 …    %o2 = tensor.insert_slice %r#1 …
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/slice.h"

static bool is_map(MlirOperation op) {
  intptr_t inputs = tt_linalg_num_inputs(op);
  return mlirOperationGetNumResults(op) == 1 &&
         mlirAffineMapIsPermutation(tt_indexing_map(op, inputs)) &&
         !tt_has_uses(mlirBlockGetArgument(tt_body(op), inputs));
}

/* The op that takes the result of `op`, the only one, and puts it somewhere. */
static MlirOperation putter(MlirOperation op, TtSlice *slice) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  MlirOperation none = {NULL};
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) return none;
  MlirOperation user = mlirOpOperandGetOwner(use);
  bool puts = tt_op_is(user, "tensor.insert_slice") && mlirOpOperandGetOperandNumber(use) == 0 &&
              tt_slice_read(user, slice);
  return puts ? user : none;
}

/* Whether `a`, which comes first, and `b` go over the same loops, and put what they give into one
 * tensor, one after the other. */
static bool may_merge(MlirOperation a, MlirOperation b, TtSlice *first, TtSlice *second) {
  if (!is_map(a) || !is_map(b) || !tt_is_before(a, b)) return false;
  intptr_t n = tt_linalg_num_inputs(a), m = tt_linalg_num_inputs(b);
  MlirType x = mlirValueGetType(mlirOperationGetResult(a, 0)),
           y = mlirValueGetType(mlirOperationGetResult(b, 0));
  if (!mlirTypeEqual(x, y) || !mlirAffineMapEqual(tt_indexing_map(a, n), tt_indexing_map(b, m)))
    return false;
  for (intptr_t i = 0; i < m; ++i) {
    MlirOperation from = tt_defining_op(mlirOperationGetOperand(b, i));
    if (!mlirOperationIsNull(from) && !tt_is_before(from, a)) return false;
  }
  MlirOperation put = putter(a, first), next = putter(b, second);
  if (mlirOperationIsNull(put) || mlirOperationIsNull(next)) return false;
  return tt_value_eq(second->whole, mlirOperationGetResult(put, 0)) &&
         tt_op_is(tt_defining_op(first->whole), "tensor.empty");
}

/* Copies the body of `op` to the end of `block`, whose arguments from `at` on are its inputs;
 * returns what it yields. */
static MlirValue copy_body(MlirOperation op, MlirBlock block, intptr_t at) {
  MlirOperation copy = mlirOperationClone(op);
  MlirBlock body = tt_body(copy);
  for (intptr_t i = 0; i < tt_linalg_num_inputs(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i),
                                  mlirBlockGetArgument(block, at + i));
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue value = mlirOperationGetOperand(yield, 0);
  for (MlirOperation in = mlirBlockGetFirstOperation(body), next; !tt_op_eq(in, yield); in = next) {
    next = tt_next(in);
    mlirOperationRemoveFromParent(in);
    mlirBlockAppendOwnedOperation(block, in);
  }
  mlirOperationDestroy(copy);
  return value;
}

/* One op with the results of both, which go to their parts of the tensor that they are put into. */
static void merge(TtArena *arena, MlirOperation a, MlirOperation b, TtSlice *first,
                  TtSlice *second) {
  TtBuilder at = tt_builder_before(a);
  MlirLocation loc = mlirOperationGetLocation(b);
  MlirOperation both[] = {a, b}, empty = tt_defining_op(first->whole);
  mlirOperationMoveBefore(empty, a);
  intptr_t inputs[] = {tt_linalg_num_inputs(a), tt_linalg_num_inputs(b)}, n = 0;
  intptr_t total = inputs[0] + inputs[1];
  MlirAttribute *maps = tt_arena_alloc(arena, (size_t)(total + 2) * sizeof *maps);
  MlirType *types = tt_arena_alloc(arena, (size_t)(total + 2) * sizeof *types);
  MlirLocation *locs = tt_arena_alloc(arena, (size_t)(total + 2) * sizeof *locs);
  MlirType result = mlirValueGetType(mlirOperationGetResult(a, 0));
  TtOpState s = tt_op_state("linalg.generic", loc);
  for (int k = 0; k < 2; ++k)
    for (intptr_t i = 0; i < inputs[k]; ++i) {
      tt_op_state_operand(&s, mlirOperationGetOperand(both[k], i));
      types[n] = mlirValueGetType(mlirBlockGetArgument(tt_body(both[k]), i)), locs[n] = loc;
      maps[n++] = mlirAffineMapAttrGet(tt_indexing_map(both[k], i));
    }
  TtSlice parts[] = {*first, *second};
  for (int k = 0; k < 2; ++k) {
    parts[k].whole = first->whole, parts[k].part = (MlirValue){NULL};
    tt_op_state_operand(&s, tt_slice_create(&at, loc, "tensor.extract_slice", &parts[k], result));
    types[n] = mlirShapedTypeGetElementType(result), locs[n] = loc;
    maps[n++] = mlirAffineMapAttrGet(tt_indexing_map(a, inputs[0]));
    tt_op_state_result(&s, result);
  }
  tt_op_state_attr(&s, at.context, "indexing_maps", mlirArrayAttrGet(at.context, n, maps));
  tt_op_state_attr(&s, at.context, "iterator_types", tt_op_attr(a, "iterator_types"));
  tt_op_state_attr(&s, at.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(at.context, 2, (int32_t[]){(int32_t)total, 2}));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(n, types, locs);
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtOpState end = tt_op_state("linalg.yield", loc);
  MlirValue x = copy_body(a, body, 0), y = copy_body(b, body, inputs[0]);
  tt_op_state_operand(&end, x);
  tt_op_state_operand(&end, y);
  mlirBlockAppendOwnedOperation(body, tt_op_state_finish(&end));
  MlirOperation made = tt_builder_insert(&at, tt_op_state_finish(&s));
  for (int k = 0; k < 2; ++k) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(both[k], 0),
                                  mlirOperationGetResult(made, k));
    mlirOperationDestroy(both[k]);
  }
}

void tt_merge_users(TtArena *arena, MlirValue part) {
  TtOps users = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(part); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (tt_op_is(mlirOpOperandGetOwner(use), "linalg.generic"))
      tt_ops_add(arena, &users, mlirOpOperandGetOwner(use));
  TtSlice first, second;
  for (intptr_t i = 0; i < users.n; ++i)
    for (intptr_t j = 0; j < users.n; ++j)
      if (i != j && may_merge(users.data[i], users.data[j], &first, &second)) {
        merge(arena, users.data[i], users.data[j], &first, &second);
        return;
      }
}
