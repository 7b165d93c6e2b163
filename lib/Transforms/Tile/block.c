/*===- block.c - what a subview of a tensor argument covers ------------------------===*/

#include "Transforms/Tile/block.h"

#include "Transforms/Tile/partial.h"

#include "Dialect/verify.h"

#include "mlir-c/Dialect/Linalg.h"

bool tt_is_copy(MlirOperation op) {
  return tt_op_is(op, "memref.copy") || tt_op_is(op, "linalg.copy");
}

MlirType tt_block_type(MlirType block, MlirType element) {
  int64_t shape[2] = {1, 1};
  intptr_t rank = mlirShapedTypeGetRank(block);
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
  TtOpState s = tt_op_state("linalg.copy", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){1, 1}));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation op = tt_op_state_finish(&s);
  mlirLinalgFillBuiltinNamedOpRegion(op);
  return tt_builder_insert(b, op);
}

bool tt_cb_type_of(MlirOperation user, MlirType memref, MlirType element, MlirType *cb) {
  intptr_t rank = mlirShapedTypeGetRank(memref);
  if (rank > 2)
    return tt_error(user,
                    "moves a block of %jd dimensions; blocks have at most two, so take one "
                    "step of the others (a rank-reducing memref.subview)",
                    (intmax_t)rank);
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

/* The dimensions of the tensor that the dimensions of a view are. */
typedef struct View {
  intptr_t rank;
  intptr_t dims[TT_MAX_RANK];
} View;

/* Dimensions of one element that a rank-reducing subview drops: the first ones. */
static void drop_units(View *view, const TtBlock *block, intptr_t rank) {
  intptr_t kept = 0, excess = view->rank - rank;
  for (intptr_t i = 0; i < view->rank; ++i) {
    if (excess > 0 && block->sizes[view->dims[i]] == 1) --excess;
    else view->dims[kept++] = view->dims[i];
  }
  view->rank = kept;
}

/* Narrows a block to one memref.subview of it. */
static bool narrow(TtBuilder *b, MlirOperation user, MlirOperation subview, View *view,
                   TtBlock *block) {
  MlirLocation loc = mlirOperationGetLocation(user);
  MlirAttribute starts = tt_op_attr(subview, "static_offsets"),
                sizes = tt_op_attr(subview, "static_sizes"),
                steps = tt_op_attr(subview, "static_strides");
  intptr_t operand = 1; /* the dynamic offsets follow the source */
  for (intptr_t i = 0; i < view->rank; ++i) {
    intptr_t d = view->dims[i];
    if (mlirDenseI64ArrayGetElement(steps, i) != 1)
      return tt_error(user, "moves a block with a stride in dimension %jd; blocks are contiguous",
                      (intmax_t)d);
    int64_t start = mlirDenseI64ArrayGetElement(starts, i);
    MlirValue value =
        start == INT64_MIN ? mlirOperationGetOperand(subview, operand++) : tt_index(b, loc, start);
    block->offsets[d] = tt_add(b, loc, block->offsets[d], value);
    int64_t size = mlirDenseI64ArrayGetElement(sizes, i);
    block->sizes[d] = size == INT64_MIN ? -1 : size;
  }
  drop_units(view, block,
             mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(subview, 0))));
  return true;
}

static bool view_of(TtBuilder *b, MlirOperation user, MlirValue value, View *view, TtBlock *block) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) { /* the tensor itself */
    MlirType type = mlirValueGetType(value);
    block->rank = view->rank = mlirShapedTypeGetRank(type);
    if (block->rank > TT_MAX_RANK)
      return tt_error(user, "moves a block of a tensor of %jd dimensions; there are at most %d",
                      (intmax_t)block->rank, TT_MAX_RANK);
    for (intptr_t d = 0; d < block->rank; ++d) {
      view->dims[d] = d;
      block->offsets[d] = tt_index(b, mlirOperationGetLocation(user), 0);
      block->sizes[d] =
          mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
    }
    return true;
  }
  bool subview = tt_op_is(op, "memref.subview");
  if (!subview && !tt_op_is(op, "memref.cast")) {
    MlirStringRef name = tt_op_name(op);
    return tt_error(user, "moves a block that is viewed through %.*s; use memref.subview",
                    (int)name.length, name.data);
  }
  if (!view_of(b, user, mlirOperationGetOperand(op, 0), view, block)) return false;
  return !subview || narrow(b, user, op, view, block);
}

/* Whether a block ends where a tile does, or the tensor. */
static bool ends_with_tile(const TtBlock *block, MlirType tensor, intptr_t d) {
  int64_t offset, size = block->sizes[d];
  if (size % TT_TILE == 0 || mlirShapedTypeIsDynamicDim(tensor, d)) return size % TT_TILE == 0;
  return tt_constant(block->offsets[d], &offset) &&
         offset + size == mlirShapedTypeGetDimSize(tensor, d);
}

bool tt_block_of(TtBuilder *b, MlirOperation user, MlirValue value, TtBlock *block) {
  View view;
  if (!view_of(b, user, value, &view, block)) return false;
  MlirType tensor = mlirValueGetType(tt_view_root(value));
  intptr_t sides = block->rank < 2 ? block->rank : 2, first = block->rank - sides;
  for (intptr_t d = 0; d < first; ++d)
    if (block->sizes[d] != 1)
      return tt_error(user,
                      "moves a block with %jd steps of dimension %jd; a block is part of one "
                      "matrix, the last two dimensions, so take one step of the others",
                      (intmax_t)block->sizes[d], (intmax_t)d);
  for (intptr_t d = first; d < block->rank && !tt_is_partial(value); ++d)
    if (!ends_with_tile(block, tensor, d))
      return tt_error(user,
                      "moves %jd elements of dimension %jd, which has %jd: it ends inside of a "
                      "tile; move whole tiles, 32 elements, or up to the end",
                      (intmax_t)block->sizes[d], (intmax_t)d,
                      (intmax_t)mlirShapedTypeGetDimSize(tensor, d));
  if (view.rank == sides) return true;
  return tt_error(user,
                  "moves a block of a tensor of %jd dimensions as one of %jd; keep its last two",
                  (intmax_t)block->rank, (intmax_t)view.rank);
}
