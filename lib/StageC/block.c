/*===- block.c - what a subview of a tensor argument covers ------------------------===*/

#include "block.h"

#include "tilewright/verify.h"

bool tt_is_copy(MlirOperation op) {
  return tt_op_is(op, "memref.copy") || tt_op_is(op, "linalg.copy");
}

bool tt_cb_type_of(MlirOperation user, MlirType memref, MlirType element, MlirType *cb) {
  if (mlirShapedTypeGetRank(memref) != 2)
    return tt_error(user, "moves a block of %jd dimensions; blocks have two",
                    (intmax_t)mlirShapedTypeGetRank(memref));
  int64_t tiles[2];
  for (intptr_t i = 0; i < 2; ++i) {
    if (mlirShapedTypeIsDynamicDim(memref, i))
      return tt_error(user, "moves a block of dynamic size; make its size constant");
    int64_t size = mlirShapedTypeGetDimSize(memref, i);
    if (size % TT_TILE != 0 || size == 0)
      return tt_error(user, "moves a block with %jd elements in dimension %jd, which is no whole "
                            "number of tiles; use a multiple of 32", (intmax_t)size, (intmax_t)i);
    tiles[i] = size / TT_TILE;
  }
  const char *reason = tt_cb_type_check(2, tiles, element);
  if (reason) return tt_error(user, "%s", reason);
  *cb = tt_cb_type_get(mlirOperationGetContext(user), 2, tiles, element);
  return true;
}

/* Adds the offsets of one memref.subview. */
static bool add_offsets(TtBuilder *b, MlirOperation user, MlirOperation subview,
                        MlirValue offsets[2]) {
  MlirLocation loc = mlirOperationGetLocation(user);
  MlirAttribute starts = tt_op_attr(subview, "static_offsets"),
                steps = tt_op_attr(subview, "static_strides");
  if (mlirDenseArrayGetNumElements(starts) != 2)
    return tt_error(user, "moves a block of a tensor of %jd dimensions; tensors have two",
                    (intmax_t)mlirDenseArrayGetNumElements(starts));
  intptr_t operand = 1; /* the dynamic offsets follow the source */
  for (intptr_t i = 0; i < 2; ++i) {
    if (mlirDenseI64ArrayGetElement(steps, i) != 1)
      return tt_error(user, "moves a block with a stride in dimension %jd; blocks are contiguous",
                      (intmax_t)i);
    int64_t start = mlirDenseI64ArrayGetElement(starts, i);
    MlirValue value = start == INT64_MIN ? mlirOperationGetOperand(subview, operand++)
                                         : tt_index(b, loc, start);
    offsets[i] = tt_add(b, loc, offsets[i], value);
  }
  return true;
}

bool tt_block_offsets(TtBuilder *b, MlirOperation user, MlirValue value, MlirValue offsets[2]) {
  MlirLocation loc = mlirOperationGetLocation(user);
  offsets[0] = offsets[1] = tt_index(b, loc, 0);
  for (MlirOperation op = tt_defining_op(value); !mlirOperationIsNull(op);
       op = tt_defining_op(value)) {
    if (tt_op_is(op, "memref.subview")) {
      if (!add_offsets(b, user, op, offsets)) return false;
    } else if (!tt_op_is(op, "memref.cast")) {
      MlirStringRef name = tt_op_name(op);
      return tt_error(user, "moves a block that is viewed through %.*s; use memref.subview",
                      (int)name.length, name.data);
    }
    value = mlirOperationGetOperand(op, 0);
  }
  return true;
}
