/*===- uncut_axes.c - sides of blocks along which a grid has one unit ---------------------------===
 *
 *   one unit of 10 x 8 tiles, whose loop goes over K:
 *   read_to_cb %A[0, %k], %a   read_to_cb %B[%k, 0], %b      (10x4 and 4x8 tiles)
 *   mm.mma %a, %b, dst = 0     pack_to_cb dst = 0 -> %c      (10x8)
 *   write_from_cb %c, %C[0, 0]
 *
 * The columns of %b and %c begin at 0 wherever they are moved, and are all of B's and C's. They
 * become an axis of the grid with one unit, which may be cut; so do the rows, as another one. Not
 * where something is written that would be the same for all units, or is read otherwise as well, or
 * where all units would do again much of what the one unit did.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/block_axes.h"

#include "Dialect/op_info.h"
#include "Dialect/shapes.h"
#include "Dialect/target.h"

typedef struct Side {
  const TtSides *sides;
  intptr_t root;
} Side;

static bool is_in(const Side *side, MlirValue cb, int which) {
  intptr_t block = tt_block_sides(side->sides, cb);
  return block >= 0 && tt_side_root(side->sides, block + which) == side->root;
}

/* The dimension of a move's tensor that is of this class; -1 where none is, or two are. */
static intptr_t dim_of(const Side *side, const TtMove *move) {
  bool rows = is_in(side, move->cb, TT_ROWS), cols = is_in(side, move->cb, TT_COLS);
  if (rows == cols) return -1;
  return move->rank - (rows ? 2 : 1);
}

static bool is_zero(MlirValue value) {
  int64_t known;
  if (tt_constant(value, &known)) return known == 0;
  MlirOperation op = tt_defining_op(value);
  return !mlirOperationIsNull(op) && tt_op_is(op, "arith.muli") &&
         (is_zero(mlirOperationGetOperand(op, 0)) || is_zero(mlirOperationGetOperand(op, 1)));
}

/* All tiles of a dimension of its tensor, from its start on; the last one may be in part. */
static bool moves_whole(const TtMove *move, intptr_t dim, int64_t tiles) {
  MlirType type = mlirValueGetType(move->tensor);
  return (tt_read_to_cb_isa(move->op) || tt_write_from_cb_isa(move->op)) && dim >= 0 &&
         is_zero(tt_move_offset(move, dim)) &&
         mlirAttributeIsNull(tt_op_attr(move->op, "partial")) &&
         mlirAttributeIsNull(tt_move_box(move)) && !mlirShapedTypeIsDynamicDim(type, dim) &&
         tt_tiles(mlirShapedTypeGetDimSize(type, dim)) == tiles;
}

static bool is_written(const TtOps *ops, MlirValue tensor) {
  TtMove move;
  for (intptr_t i = 0; i < ops->n; ++i)
    if (tt_move_of(ops->data[i], &move) && !move.in && tt_value_eq(move.tensor, tensor))
      return true;
  return false;
}

/* Whether units that are parts of the class do the same as the one unit that there is: all that is
 * written is of the class, and so is what is read of that, along the same dimension. */
static bool is_apart(const Side *side, TtBlockAxis *axis) {
  const TtOps *ops = &side->sides->ops;
  bool writes = false;
  for (intptr_t i = 0; i < ops->n; ++i) {
    TtMove move;
    if (!tt_move_of(ops->data[i], &move)) continue;
    bool touches = is_in(side, move.cb, TT_ROWS) || is_in(side, move.cb, TT_COLS);
    if (!touches && is_written(ops, move.tensor)) return false;
    if (!touches) continue;
    intptr_t dim = dim_of(side, &move);
    if (!moves_whole(&move, dim, axis->tiles)) return false;
    for (intptr_t j = 0; j < axis->moves.n; ++j) {
      TtMove other;
      tt_move_of(axis->moves.data[j], &other);
      if (tt_value_eq(other.tensor, move.tensor) && dim_of(side, &other) != dim) return false;
    }
    tt_ops_add(side->sides->arena, &axis->moves, ops->data[i]);
    writes |= !move.in;
  }
  return writes;
}

/* What the section of DST that this op computes in is packed to; null where that is not plain. */
static MlirValue packed_to(MlirOperation op) {
  for (; !mlirOperationIsNull(op) && mlirOperationGetNumRegions(op) == 0; op = tt_next(op)) {
    MlirValue out = tt_op_fills(op);
    if (tt_op_info(op)->does == TT_ACT_COMPUTE && !tt_is_null_value(out)) return out;
    if (tt_mm_mma_isa(op) || tt_op_info(op)->does == TT_ACT_PACK_BLOCK) break;
  }
  return (MlirValue){NULL};
}

static bool *none_seen(const TtSides *s) {
  return tt_arena_alloc(s->arena, (size_t)(TT_SIDES * s->allocs.n + 1) * sizeof(bool));
}

/* Whether a block is an operand of a product, perhaps turned or converted first: what a product
 * takes again for other results is what it is for. */
static bool is_multiplied(const TtSides *s, MlirValue cb, bool *seen) {
  intptr_t block = tt_block_sides(s, cb);
  if (block < 0 || seen[block]) return false;
  seen[block] = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_mm_mma_isa(op)) return true;
    MlirValue out = tt_copy_to_dst_isa(op) ? packed_to(op) : (MlirValue){NULL};
    if (!tt_is_null_value(out) && is_multiplied(s, out, seen)) return true;
  }
  return false;
}

/* Each unit reads, and computes of, what is not of the class: little of it beside what is, as
 * weights of a row. A norm that reads its row once for the sum, and once more to scale it, stays.
 */
static bool repeats_little(const Side *side) {
  enum { TIMES = 3 };
  const TtOps *ops = &side->sides->ops;
  int64_t own = 0, again = 0;
  for (intptr_t i = 0; i < ops->n; ++i) {
    TtMove move;
    if (!tt_move_of(ops->data[i], &move)) continue;
    bool is_own = is_in(side, move.cb, TT_ROWS) || is_in(side, move.cb, TT_COLS);
    int64_t tiles = tt_cb_tiles(mlirValueGetType(move.cb));
    if (is_own) own += tiles;
    else if (!is_multiplied(side->sides, move.cb, none_seen(side->sides))) again += tiles;
  }
  return TIMES * again <= own;
}

/* The class as an axis; false where it is none. */
static bool read_class(const Side *side, TtBlockAxis *axis) {
  const TtSides *s = side->sides;
  *axis = (TtBlockAxis){.cells = 1, .uncut = true, .whole = true};
  if (s->fixed[side->root]) return false;
  for (intptr_t i = 0; i < TT_SIDES * s->allocs.n; ++i) {
    if (tt_side_root(s, i) != side->root) continue;
    if (axis->tiles != 0 && tt_side_length(s, i) != axis->tiles) return false;
    axis->tiles = tt_side_length(s, i);
    tt_ops_add(s->arena, i % TT_SIDES == TT_ROWS ? &axis->rows : &axis->cols,
               s->allocs.data[i / TT_SIDES]);
  }
  return axis->tiles > 1 && is_apart(side, axis) && repeats_little(side);
}

static bool have_in_common(TtOps a, TtOps b) {
  for (intptr_t i = 0; i < a.n; ++i)
    for (intptr_t j = 0; j < b.n; ++j)
      if (tt_op_eq(a.data[i], b.data[j])) return true;
  return false;
}

static bool is_taken(const TtBlockAxes *axes, const TtBlockAxis *axis) {
  for (int i = 0; i < 3; ++i) {
    const TtBlockAxis *other = &axes->axes[i];
    if (!other->reason &&
        (have_in_common(other->rows, axis->rows) || have_in_common(other->cols, axis->cols)))
      return true;
  }
  return false;
}

void tt_find_uncut_axes(const TtSides *s, TtBlockAxes *axes) {
  for (int i = 0; i < 3; ++i)
    for (int turn = 0; turn < TT_SIDES && axes->axes[i].cells == 1 && axes->axes[i].reason; ++turn)
      for (intptr_t j = 0; j < s->allocs.n && axes->axes[i].reason; ++j) {
        /* Columns of blocks along x, if there are such. */
        int which = (i == 0) == (turn == 0) ? TT_COLS : TT_ROWS;
        Side side = {s, tt_side_root(s, TT_SIDES * j + which)};
        TtBlockAxis axis;
        if (read_class(&side, &axis) && !is_taken(axes, &axis)) axes->axes[i] = axis;
      }
}

intptr_t tt_uncut_dim(const TtBlockAxis *axis, const TtMove *move) {
  MlirOperation cb = tt_defining_op(move->cb);
  for (intptr_t i = 0; i < axis->rows.n; ++i)
    if (tt_op_eq(axis->rows.data[i], cb)) return move->rank - 2;
  return move->rank - 1;
}
