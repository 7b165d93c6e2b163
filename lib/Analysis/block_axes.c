/*===- block_axes.c - which sides of circular buffers follow the grid --------------------------===
 *
 *   %by = %tid / 9   %bx = %tid % 9   %m = %by * 256   %n = %bx * 256
 *   read_to_cb %A[%m, %k], %a   read_to_cb %B[%k, %n], %b    (8x1 and 1x8 tiles)
 *   mm.mma %a, %b, dst = 0      pack_to_cb dst = 0 -> %c     (8x8)
 *   write_from_cb %c, %C[%m, %n]
 *
 * Sides of blocks that an op takes together are one class: the rows of %a, %c and of DST, and the
 * columns of %b, %c and of DST. The class of the rows starts at %by * 256 wherever it is moved, so
 * that another length of it, with as many units as make up the same rows, computes the same. Not
 * where something else is done with %by, where the class is summed over, or where an op takes part
 * that is not known here.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/block_axes.h"

#include "Analysis/block_sides.h"
#include "Dialect/target.h"

/*===- Coordinates ---------------------------------------------------------------------------===*/

static MlirOperation only_user(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  return mlirOpOperandGetOwner(use);
}

bool tt_find_unit(TtArena *arena, MlirOperation func, MlirValue *unit) {
  TtOps args = tt_collect(arena, func, "tt.runtime_arg");
  for (intptr_t i = 0; i < args.n; ++i) {
    if (!tt_str_eq(tt_string(tt_runtime_arg_name(args.data[i])), "start_id")) continue;
    MlirOperation sum = only_user(tt_runtime_arg_value(args.data[i]));
    if (mlirOperationIsNull(sum) || !tt_op_is(sum, "arith.addi")) return false;
    MlirOperation loop = tt_parent(sum);
    MlirValue other = mlirOperationGetOperand(sum, 1);
    if (!tt_op_is(loop, "scf.for") || !tt_value_eq(other, tt_for_iv(loop))) return false;
    *unit = mlirOperationGetResult(sum, 0);
    return true;
  }
  return false;
}

/* A kernel of one unit does not ask which one it is. */
static bool has_no_number(TtArena *arena, MlirOperation func) {
  TtOps args = tt_collect(arena, func, "tt.runtime_arg");
  for (intptr_t i = 0; i < args.n; ++i)
    if (tt_str_eq(tt_string(tt_runtime_arg_name(args.data[i])), "start_id")) return false;
  return true;
}

static bool divides_by(MlirOperation op, const char *name, MlirValue value, int64_t by) {
  int64_t c;
  return tt_op_is(op, name) && tt_value_eq(mlirOperationGetOperand(op, 0), value) &&
         tt_constant(mlirOperationGetOperand(op, 1), &c) && c == by;
}

/* The one user of `value` that divides it; null where there is none. */
static MlirValue divided(MlirValue value, const char *name, int64_t by) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (divides_by(mlirOpOperandGetOwner(use), name, value, by))
      return mlirOperationGetResult(mlirOpOperandGetOwner(use), 0);
  return (MlirValue){NULL};
}

/* bx = unit % gx, by = unit / gx % gy, bz = unit / (gx * gy), without what has no effect. */
static MlirValue coordinate(MlirValue unit, const int64_t cells[3], int axis) {
  int64_t before = 1, after = 1;
  for (int i = 0; i < axis; ++i) before *= cells[i];
  for (int i = axis + 1; i < 3; ++i) after *= cells[i];
  MlirValue value = before == 1 ? unit : divided(unit, "arith.divui", before);
  if (tt_is_null_value(value) || after == 1) return value;
  return divided(value, "arith.remui", cells[axis]);
}

static bool is_coordinate(const TtBlockAxes *a, MlirValue value) {
  for (int i = 0; i < 3; ++i)
    if (!tt_is_null_value(a->axes[i].at) && tt_value_eq(a->axes[i].at, value)) return true;
  return false;
}

/* Whether all that is made of a unit's number are coordinates. */
static bool makes_coordinates(const TtBlockAxes *a, MlirValue value) {
  if (is_coordinate(a, value)) return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool divides = tt_op_is(op, "arith.divui") || tt_op_is(op, "arith.remui");
    if (!divides || !makes_coordinates(a, mlirOperationGetResult(op, 0))) return false;
  }
  return true;
}

/*===- An axis -------------------------------------------------------------------------------===*/

static bool refuse(TtBlockAxis *axis, const char *reason) {
  axis->reason = reason;
  return false;
}

/* The offset of a move that `value` is, as a side of its block; -1 where it is another operand or
 * dimension. */
static intptr_t side_of_use(const TtSides *s, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  bool reads = tt_read_to_cb_isa(op);
  if (!reads && !tt_write_from_cb_isa(op)) return -1;
  MlirValue tensor = reads ? tt_read_to_cb_tensor(op) : tt_write_from_cb_tensor(op);
  intptr_t at = (intptr_t)mlirOpOperandGetOperandNumber(use) - (reads ? 1 : 2),
           rank = mlirShapedTypeGetRank(mlirValueGetType(tensor));
  if (at < 0 || at >= rank || at < rank - 2) return -1;
  return tt_block_sides(s, reads ? tt_read_to_cb_cb(op) : tt_write_from_cb_cb(op)) +
         (at == rank - 1 ? TT_COLS : TT_ROWS);
}

static bool is_partial(MlirOperation move) {
  return !mlirAttributeIsNull(tt_op_attr(move, "partial"));
}

/* All that is done with the coordinate: products with the block's elements, which are offsets.
 * `is_in[side]`: of the classes that start there. */
static bool follow_uses(const TtSides *s, TtBlockAxis *axis, bool *is_in) {
  int64_t elements = 0, factor;
  for (MlirOpOperand use = mlirValueGetFirstUse(axis->at); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    unsigned other = 1 - mlirOpOperandGetOperandNumber(use) % 2;
    if (!tt_op_is(op, "arith.muli") ||
        !tt_constant(mlirOperationGetOperand(op, (intptr_t)other), &factor) ||
        (elements != 0 && factor != elements))
      return refuse(axis, "a unit's place is used for more than where its blocks start");
    elements = factor;
    tt_ops_add(s->arena, &axis->starts, op);
    for (MlirOpOperand at = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
         !mlirOpOperandIsNull(at); at = mlirOpOperandGetNextUse(at)) {
      intptr_t side = side_of_use(s, at);
      if (side < 0)
        return refuse(axis, "a unit's place is used for more than where its blocks start");
      if (is_partial(mlirOpOperandGetOwner(at)))
        return refuse(axis, "a block may end behind its tensor");
      is_in[tt_side_root(s, side)] = true;
      tt_ops_add(s->arena, &axis->moves, mlirOpOperandGetOwner(at));
    }
  }
  if (elements == 0 || elements % TT_TILE != 0) return refuse(axis, "no block starts there");
  axis->tiles = elements / TT_TILE;
  return true;
}

/* Whether the blocks of all units are the whole of each tensor along the axis. */
static bool is_whole(const TtBlockAxis *axis) {
  for (intptr_t i = 0; i < axis->moves.n; ++i) {
    MlirOperation op = axis->moves.data[i];
    bool reads = tt_read_to_cb_isa(op);
    MlirValue tensor = reads ? tt_read_to_cb_tensor(op) : tt_write_from_cb_tensor(op);
    MlirType type = mlirValueGetType(tensor);
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
      MlirValue offset = mlirOperationGetOperand(op, (reads ? 1 : 2) + d);
      for (intptr_t j = 0; j < axis->starts.n; ++j)
        if (tt_op_eq(tt_defining_op(offset), axis->starts.data[j]) &&
            (mlirShapedTypeIsDynamicDim(type, d) ||
             mlirShapedTypeGetDimSize(type, d) != axis->cells * axis->tiles * TT_TILE))
          return false;
    }
  }
  return true;
}

static bool starts_there(const TtBlockAxis *axis, MlirValue offset) {
  for (intptr_t i = 0; i < axis->starts.n; ++i)
    if (tt_op_eq(tt_defining_op(offset), axis->starts.data[i])) return true;
  return false;
}

/* What the classes of the axis hold has its length, and is moved only from where they start. */
static bool check_class(const TtSides *s, TtBlockAxis *axis, const bool *is_in) {
  for (intptr_t side = 0; side < TT_SIDES * s->allocs.n; ++side) {
    if (!is_in[tt_side_root(s, side)]) continue;
    if (s->fixed[tt_side_root(s, side)])
      return refuse(axis, "a block is summed over along it, or an op takes the whole of it");
    if (s->open[tt_side_root(s, side)]) /* clk of what is done with it are not known here */
      return refuse(axis, "a block of it is kept where it is while others come");
    if (tt_side_length(s, side) != axis->tiles)
      return refuse(axis, "its blocks are of several lengths");
    tt_ops_add(s->arena, side % TT_SIDES == TT_ROWS ? &axis->rows : &axis->cols,
               s->allocs.data[side / TT_SIDES]);
  }
  for (intptr_t i = 0; i < s->ops.n; ++i) {
    MlirOperation op = s->ops.data[i];
    bool reads = tt_read_to_cb_isa(op);
    if (!reads && !tt_write_from_cb_isa(op)) continue;
    intptr_t first = reads ? 1 : 2,
             n = mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, first - 1))),
             block = tt_block_sides(s, reads ? tt_read_to_cb_cb(op) : tt_write_from_cb_cb(op));
    for (int side = 0; side < TT_SIDES; ++side) {
      intptr_t d = n - TT_SIDES + side;
      if (!is_in[tt_side_root(s, block + side)]) continue;
      if (d < 0 || !starts_there(axis, mlirOperationGetOperand(op, first + d)))
        return refuse(axis, "a block of its length is moved from elsewhere");
    }
  }
  return true;
}

static void find_axis(const TtSides *s, TtBlockAxis *axis) {
  bool *is_in = tt_arena_alloc(s->arena, (size_t)(TT_SIDES * (s->allocs.n + s->ops.n) + 1));
  if (axis->cells == 1 || tt_is_null_value(axis->at)) refuse(axis, "the grid has one unit there");
  else if (follow_uses(s, axis, is_in) && check_class(s, axis, is_in)) axis->whole = is_whole(axis);
}

/* A side that two axes have would be of two lengths. */
static void check_apart(TtBlockAxes *out) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < a; ++b) {
      const TtBlockAxis *x = &out->axes[a], *y = &out->axes[b];
      for (intptr_t i = 0; i < x->rows.n; ++i)
        for (intptr_t j = 0; j < y->rows.n; ++j)
          if (tt_op_eq(x->rows.data[i], y->rows.data[j]))
            refuse(&out->axes[a], "two axes are one side of a block");
      for (intptr_t i = 0; i < x->cols.n; ++i)
        for (intptr_t j = 0; j < y->cols.n; ++j)
          if (tt_op_eq(x->cols.data[i], y->cols.data[j]))
            refuse(&out->axes[a], "two axes are one side of a block");
    }
}

bool tt_find_block_axes(TtArena *arena, MlirOperation func, TtBlockAxes *out) {
  MlirAttribute grid = tt_get_attr(func, "tt.grid");
  int64_t cells[3];
  *out = (TtBlockAxes){.unit = {NULL}};
  if (mlirAttributeIsNull(grid)) return false;
  bool one = true;
  for (int i = 0; i < 3; ++i) {
    if ((cells[i] = mlirDenseI64ArrayGetElement(grid, i)) == 0) return false;
    one &= cells[i] == 1;
  }
  if (!tt_find_unit(arena, func, &out->unit) && !(one && has_no_number(arena, func))) return false;
  TtSides s;
  if (!tt_find_sides(arena, func, &s)) return false;
  for (int i = 0; i < 3; ++i) {
    out->axes[i].cells = cells[i];
    if (cells[i] > 1) out->axes[i].at = coordinate(out->unit, cells, i);
  }
  if (!tt_is_null_value(out->unit) && !makes_coordinates(out, out->unit)) return false;
  for (int i = 0; i < 3; ++i) find_axis(&s, &out->axes[i]);
  check_apart(out);
  tt_find_uncut_axes(&s, out);
  return true;
}

int64_t tt_blocks_along(const TtBlockAxes *axes, const int64_t cells[3], MlirOperation read) {
  int64_t blocks = 1;
  for (int i = 0; i < 3; ++i) {
    const TtBlockAxis *axis = &axes->axes[i];
    bool follows = axis->reason != NULL;
    for (intptr_t j = 0; j < axis->moves.n; ++j) follows |= tt_op_eq(axis->moves.data[j], read);
    if (follows) blocks *= cells[i];
  }
  return blocks;
}
