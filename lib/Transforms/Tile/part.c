/*===- part.c - copies from and to parts of buffers of the core --------------------------------===
 *
 *   %p = memref.subview %b[0, %c] [64, 64] [1, 1]                (%b of 64x256, whole tiles)
 *   linalg.copy ins(%p) outs(%x)         = tt.part_to_dst %cb_b[0, %c / 32], dst = 0 -> %cb_x
 *   linalg.copy ins(%x) outs(%p)         = tt.inset_to_dst %cb_b, %cb_x at [0, %c / 32], dst = 0
 *                                          -> %cb_b
 *
 * A buffer of which a part is written keeps its value like one that is computed in place, so each
 * write copies all of its tiles.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/lowering.h"

static bool is_part(MlirValue value) { return tt_op_is(tt_defining_op(value), "memref.subview"); }

bool tt_copies_part(MlirOperation op) {
  return tt_is_copy(op) &&
         (is_part(mlirOperationGetOperand(op, 0)) || is_part(mlirOperationGetOperand(op, 1)));
}

static bool refuse(MlirOperation view) {
  return tt_error(view,
                  "this part of a buffer of the core is no whole tiles of it, so that its "
                  "elements would change places in them; take parts that begin at multiples "
                  "of 32 and end there, or with the buffer; go over rows inside of tiles one by "
                  "one in a loop, or work on all of the buffer, and choose by linalg.index");
}

/* Where dimension `d` of a part starts, in tiles; null where that is not between tiles. A part that
 * is `read` may end inside of a tile: what pads its last one does not count. */
static MlirValue first_tile(TtLowering *l, TtBuilder *b, MlirOperation view, intptr_t d,
                            bool read) {
  MlirAttribute offsets = tt_op_attr(view, "static_offsets"),
                sizes = tt_op_attr(view, "static_sizes");
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirType whole = mlirValueGetType(mlirOperationGetOperand(view, 0));
  int64_t offset = mlirDenseI64ArrayGetElement(offsets, d),
          size = mlirDenseI64ArrayGetElement(sizes, d), all = mlirShapedTypeGetDimSize(whole, d);
  bool known = offset != INT64_MIN, to_end = known && offset + size == all;
  if (size == INT64_MIN || (size % TT_TILE != 0 && !to_end && !read)) return (MlirValue){NULL};
  if (known) return offset % TT_TILE == 0 ? tt_index(b, loc, offset / TT_TILE) : (MlirValue){NULL};
  intptr_t operand = 1;
  for (intptr_t i = 0; i < d; ++i) operand += mlirDenseI64ArrayGetElement(offsets, i) == INT64_MIN;
  MlirValue value = mlirOperationGetOperand(view, operand);
  MlirValue exact = tt_exact_quotient(l->arena, b, loc, value, TT_TILE);
  if (!tt_is_null_value(exact)) return exact;
  bool whole_tiles = tt_is_multiple(l->arena, b, value, TT_TILE);
  return whole_tiles ? tt_div(b, loc, value, tt_index(b, loc, TT_TILE)) : (MlirValue){NULL};
}

static bool has_unit_strides(MlirOperation view) {
  MlirAttribute strides = tt_op_attr(view, "static_strides");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(strides); ++d)
    if (mlirDenseI64ArrayGetElement(strides, d) != 1) return false;
  return true;
}

/* Whether a part without a dimension of one element lies in tiles as its buffer does: a row as a
 * row, a column as a column. */
static bool lies_alike(MlirOperation view, MlirValue part, intptr_t rank, const TtBuffer *whole,
                       const TtBuffer *other) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(view, 0));
  intptr_t own = mlirShapedTypeGetRank(mlirValueGetType(part));
  if (own == rank) return whole->column == other->column;
  return rank == 2 && own == 1 && mlirShapedTypeGetDimSize(type, other->column) == 1;
}

bool tt_lower_part(TtLowering *l, MlirOperation op) {
  bool from_part = is_part(mlirOperationGetOperand(op, 0));
  MlirValue part = mlirOperationGetOperand(op, !from_part);
  MlirOperation view = tt_defining_op(part);
  TtBuffer *whole = tt_buffer_of(l, mlirOperationGetOperand(view, 0)),
           *other = tt_buffer_of(l, mlirOperationGetOperand(op, from_part));
  if (!whole || !other) return tt_error(op, "works on something that is no buffer of the core");
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(view, 0)));
  if (rank < 1 || rank > 2 || !lies_alike(view, part, rank, whole, other) ||
      !has_unit_strides(view))
    return refuse(view);
  MlirValue at[2] = {tt_index(&b, loc, 0), tt_index(&b, loc, 0)};
  for (intptr_t d = 0; d < rank; ++d) {
    intptr_t side = rank == 2 ? d : !whole->column;
    at[side] = first_tile(l, &b, view, d, from_part);
    if (tt_is_null_value(at[side])) return refuse(view);
  }
  if (from_part) tt_part_to_dst_create(&b, loc, whole->cb, at[0], at[1], 0, other->cb);
  else tt_inset_to_dst_create(&b, loc, whole->cb, other->cb, at[0], at[1], 0, whole->cb);
  mlirOperationDestroy(op);
  return true;
}
