/*===- block.c - buffers for blocks of tensors -------------------------------------===*/

#include "Transforms/Tile/block.h"

#include "Dialect/verify.h"

bool tt_is_copy(MlirOperation op) {
  return tt_op_is(op, "memref.copy") || tt_op_is(op, "linalg.copy");
}

MlirType tt_block_type(MlirType block, MlirType element) {
  int64_t shape[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(block);
  if (rank > TT_MAX_RANK) return block;
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(block, d);
  return mlirMemRefTypeContiguousGet(element, rank, shape, mlirAttributeGetNull());
}

MlirValue tt_static_alloc(TtBuilder *b, MlirLocation loc, MlirType type) {
  TtOpState s = tt_op_state("memref.alloc", loc);
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){0, 0}));
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_block_buffer(TtBuilder *b, MlirLocation loc, MlirType block) {
  return tt_static_alloc(b, loc, tt_block_type(block, mlirShapedTypeGetElementType(block)));
}

MlirOperation tt_linalg_copy(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to) {
  return tt_named_op(b, loc, "linalg.copy", 1, (MlirValue[]){from, to});
}

bool tt_check_block_rank(MlirOperation user, MlirType memref) {
  intptr_t rank = mlirShapedTypeGetRank(memref);
  if (rank <= 2) return true;
  return tt_error(user,
                  "moves a block of %jd dimensions; blocks have at most two, so take one "
                  "step of the others (a rank-reducing memref.subview)",
                  (intmax_t)rank);
}

bool tt_cb_type_of(MlirOperation user, MlirType memref, MlirType element, MlirType *cb) {
  intptr_t rank = mlirShapedTypeGetRank(memref);
  if (!tt_check_block_rank(user, memref)) return false;
  int64_t tiles[2] = {1, 1};
  for (intptr_t i = 0; i < rank; ++i) {
    if (mlirShapedTypeIsDynamicDim(memref, i))
      return tt_error(user, "moves a block of dynamic size; make its size constant");
    int64_t size = mlirShapedTypeGetDimSize(memref, i);
    if (size == 0) return tt_error(user, "moves a block without elements");
    tiles[2 - rank + i] = tt_tiles(size);
  }
  const char *reason = tt_cb_type_check(2, tiles, element);
  if (reason) return tt_error(user, "%s", reason);
  *cb = tt_cb_type_get(mlirOperationGetContext(user), 2, tiles, element);
  return true;
}
