/*===- box.c - boxes of tensors that are assembled of elements --------------------------------===
 *
 * 64 rows of one head of (batch, row, head, element): in each step of dimension 1, one row of a
 * tile, or of two where the 40 elements may begin inside of one. 16 tiles come to L1 at once, that
 * is 8 steps.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/box.h"

#include "Analysis/index_expr.h"
#include "Analysis/shards.h"
#include "Dialect/target.h"

enum { SCRATCH_TILES = 16 };

/* The tiles that `n` elements may lie in, wherever they begin. */
static int64_t tiles_over(int64_t n, int64_t stride) {
  n = (n - 1) * stride + 1;
  return n == 1 ? 1 : (n + TT_TILE - 2) / TT_TILE + 1;
}

bool tt_box_of(MlirOperation op, TtBox *box) {
  TtMove move;
  if (!tt_move_of(op, &move) || mlirAttributeIsNull(tt_move_box(&move))) return false;
  *box = (TtBox){.rank = move.rank, .row_tiles = 1, .col_tiles = 1, .outer = -1, .together = 1};
  for (intptr_t d = 0; d < box->rank; ++d) {
    box->size[d] = mlirDenseI64ArrayGetElement(tt_op_attr(op, "box"), d);
    box->rows[d] = mlirDenseI64ArrayGetElement(tt_op_attr(op, "rows"), d);
    box->cols[d] = mlirDenseI64ArrayGetElement(tt_op_attr(op, "cols"), d);
    MlirAttribute strides = tt_op_attr(op, "strides");
    box->stride[d] = mlirAttributeIsNull(strides) ? 1 : mlirDenseI64ArrayGetElement(strides, d);
    intptr_t side = d - box->rank + 2;
    if (side < 0 && box->size[d] > 1) box->outer = d;
    if (side == 0) box->row_tiles = tiles_over(box->size[d], box->stride[d]);
    if (side == 1) box->col_tiles = tiles_over(box->size[d], box->stride[d]);
  }
  int64_t steps = box->row_tiles;
  if (steps > 1) box->outer = -1;
  else if (box->outer >= 0) steps = box->size[box->outer];
  box->together = SCRATCH_TILES / box->col_tiles;
  if (box->together > steps) box->together = steps;
  if (box->together < 1) box->together = 1;
  return true;
}

int64_t tt_box_scratch(const TtBox *box) { return box->together * box->col_tiles; }

bool tt_box_is_whole(const TtBox *box) {
  int64_t steps = box->row_tiles;
  for (intptr_t d = 0; d < box->rank - 2; ++d) {
    if (box->size[d] > 1 && d != box->outer) return false;
    if (d == box->outer) steps = box->size[d];
  }
  return steps <= box->together;
}

int64_t tt_box_unit(MlirOperation op, int64_t bytes) {
  int64_t unit = tt_target_of(op).chip->noc_write_align / bytes;
  return unit < 1 ? 1 : unit;
}

bool tt_box_has_runs(TtArena *arena, MlirOperation write, const TtBox *box, int64_t bytes) {
  TtMove move;
  intptr_t last = box->rank - 1;
  int64_t unit = tt_box_unit(write, bytes), offset;
  if (last < 0 || !tt_move_of(write, &move) || tt_lies_in_rows(arena, move.tensor)) return false;
  if (box->size[last] > 1 && (box->rows[last] != 0 || box->cols[last] != 1)) return false;
  for (intptr_t d = 0; d < box->rank; ++d)
    if (box->stride[d] != 1) return false;
  for (intptr_t d = 0; d < last; ++d) /* rows begin where those of tiles do */
    if (box->size[d] > 1 && box->cols[d] % unit != 0) return false;
  TtBuilder b = tt_builder_before(write);
  MlirValue at = tt_move_offset(&move, last);
  if (!tt_is_multiple(arena, &b, at, unit)) return false;
  MlirType type = mlirValueGetType(move.tensor);
  int64_t size;
  MlirValue given = tt_move_size(&move, last);
  if (!mlirValueIsNull(given) && !tt_constant(given, &size)) return false;
  return box->size[last] % unit == 0 ||
         (!mlirShapedTypeIsDynamicDim(type, last) && tt_constant(at, &offset) &&
          offset + box->size[last] == mlirShapedTypeGetDimSize(type, last));
}
