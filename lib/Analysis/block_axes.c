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

#include "Analysis/sums.h"
#include "Dialect/op_info.h"
#include "Dialect/shapes.h"

enum { ROWS, COLS, SIDES };

typedef struct Sides {
  TtArena *arena;
  MlirOperation func;
  TtOps allocs, ops;
  intptr_t num_dst; /* blocks of DST, behind those of circular buffers */
  int64_t *dst;     /* the first tile of each */
  intptr_t *parent; /* of each side: union-find */
  bool *fixed;      /* of each side: something is done with it that needs its length */
} Sides;

/*===- Classes -------------------------------------------------------------------------------===*/

static intptr_t root_of(const Sides *s, intptr_t side) {
  while (s->parent[side] != side) side = s->parent[side];
  return side;
}

static void join(Sides *s, intptr_t a, intptr_t b) {
  a = root_of(s, a), b = root_of(s, b);
  s->parent[b] = a;
  s->fixed[a] |= s->fixed[b];
}

static void fix(Sides *s, intptr_t side) { s->fixed[root_of(s, side)] = true; }

/* The first side of a circular buffer's block; -1 where it is none of the kernel's. */
static intptr_t block_of(const Sides *s, MlirValue cb) {
  for (intptr_t i = 0; i < s->allocs.n; ++i)
    if (tt_op_eq(tt_defining_op(cb), s->allocs.data[i])) return SIDES * i;
  return -1;
}

static intptr_t dst_block(Sides *s, int64_t dst) {
  intptr_t i = 0;
  while (i < s->num_dst && s->dst[i] != dst) ++i;
  if (i == s->num_dst) s->dst[s->num_dst++] = dst;
  return SIDES * (s->allocs.n + i);
}

static void join_product(Sides *s, MlirOperation mma, intptr_t result) {
  intptr_t a = block_of(s, tt_mm_mma_a(mma)), b = block_of(s, tt_mm_mma_b(mma));
  bool turned = !mlirAttributeIsNull(tt_mm_mma_transpose_b(mma));
  join(s, result + ROWS, a + ROWS);
  join(s, result + COLS, b + (turned ? ROWS : COLS));
  join(s, a + COLS, b + (turned ? COLS : ROWS));
  fix(s, a + COLS);
}

static void join_operand(Sides *s, TtAccess access, intptr_t operand, intptr_t result) {
  bool turned = access == TT_ACCESS_TURNED;
  if (access == TT_ACCESS_FULL || turned || access == TT_ACCESS_COLS ||
      access == TT_ACCESS_REDUCED_ROW)
    join(s, result + (turned ? COLS : ROWS), operand + ROWS);
  if (access == TT_ACCESS_FULL || turned || access == TT_ACCESS_ROWS ||
      access == TT_ACCESS_REDUCED_COL)
    join(s, result + (turned ? ROWS : COLS), operand + COLS);
  if (access == TT_ACCESS_REDUCED_ROW) fix(s, operand + COLS);
  if (access == TT_ACCESS_REDUCED_COL) fix(s, operand + ROWS);
  if (access == TT_ACCESS_PART || access == TT_ACCESS_INSET) /* places in it are fixed */
    for (int side = 0; side < SIDES; ++side) fix(s, operand + side), fix(s, result + side);
}

/* Whether ops take all of a circular buffer as the one tile that it is. */
static bool is_constant(MlirValue cb) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    for (int i = 0; i < tt_op_info(op)->num_reads; ++i)
      if (tt_access(op, i) == TT_ACCESS_CONSTANT && tt_value_eq(tt_op_reads(op, i), cb))
        return true;
  }
  return false;
}

/* An op that computes: its result, in DST, and what it takes. A constant's slot is of a section of
 * its own, though other ops name one of that number. */
static void join_compute(Sides *s, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  MlirValue out = tt_op_fills(op);
  if (!tt_is_null_value(out) && is_constant(out)) {
    fix(s, block_of(s, out) + ROWS), fix(s, block_of(s, out) + COLS);
    return;
  }
  intptr_t result = dst_block(s, tt_op_dst(op));
  MlirAttribute sources = tt_dst_sources(op);
  intptr_t n = mlirAttributeIsNull(sources) ? 0 : mlirDenseArrayGetNumElements(sources);
  if (!tt_is_null_value(out)) join_operand(s, TT_ACCESS_FULL, block_of(s, out), result);
  for (intptr_t i = 0; i < n; ++i)
    join_operand(s, TT_ACCESS_FULL, dst_block(s, mlirDenseI64ArrayGetElement(sources, i)), result);
  if (tt_mm_mma_isa(op)) join_product(s, op, result);
  else
    for (int i = 0; i < info->num_reads; ++i)
      join_operand(s, tt_access(op, i), block_of(s, tt_op_reads(op, i)), result);
}

static void fix_all(Sides *s, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    intptr_t block = block_of(s, mlirOperationGetOperand(op, i));
    if (block >= 0) fix(s, block + ROWS), fix(s, block + COLS);
  }
}

/* What is put together from elements has the size that its move says. */
static bool is_boxed(MlirOperation op) { return !mlirAttributeIsNull(tt_op_attr(op, "box")); }

/* Products that have DST to themselves count its tiles; others name slots of a tile. */
static bool counts_tiles(MlirOperation op) { return tt_mm_mma_isa(op) && tt_op_dst(op) != 0; }

static bool names_its_blocks(const Sides *s, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (tt_cb_type_isa(mlirValueGetType(value)) && block_of(s, value) < 0) return false;
  }
  return true;
}

static bool join_all(Sides *s) {
  for (intptr_t i = 0; i < s->ops.n; ++i) {
    MlirOperation op = s->ops.data[i];
    if (!names_its_blocks(s, op)) return false;
    TtAct does = tt_op_info(op)->does;
    if (counts_tiles(op)) return false;
    if (does == TT_ACT_COMPUTE || does == TT_ACT_PACK_BLOCK) join_compute(s, op);
    else if ((does != TT_ACT_LOAD && does != TT_ACT_STORE) || is_boxed(op)) fix_all(s, op);
  }
  return true;
}

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
static intptr_t side_of_use(const Sides *s, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  bool reads = tt_read_to_cb_isa(op);
  if (!reads && !tt_write_from_cb_isa(op)) return -1;
  MlirValue tensor = reads ? tt_read_to_cb_tensor(op) : tt_write_from_cb_tensor(op);
  intptr_t at = (intptr_t)mlirOpOperandGetOperandNumber(use) - (reads ? 1 : 2),
           rank = mlirShapedTypeGetRank(mlirValueGetType(tensor));
  if (at < 0 || at >= rank || at < rank - 2) return -1;
  return block_of(s, reads ? tt_read_to_cb_cb(op) : tt_write_from_cb_cb(op)) +
         (at == rank - 1 ? COLS : ROWS);
}

static int64_t length_of(const Sides *s, intptr_t side) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(s->allocs.data[side / SIDES], 0));
  return side % SIDES == ROWS ? tt_cb_rows(type) : tt_cb_cols(type);
}

static bool is_partial(MlirOperation move) {
  return !mlirAttributeIsNull(tt_op_attr(move, "partial"));
}

/* All that is done with the coordinate: products with the block's elements, which are offsets.
 * `is_in[side]`: of the classes that start there. */
static bool follow_uses(const Sides *s, TtBlockAxis *axis, bool *is_in) {
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
      is_in[root_of(s, side)] = true;
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
static bool check_class(const Sides *s, TtBlockAxis *axis, const bool *is_in) {
  for (intptr_t side = 0; side < SIDES * s->allocs.n; ++side) {
    if (!is_in[root_of(s, side)]) continue;
    if (s->fixed[root_of(s, side)])
      return refuse(axis, "a block is summed over along it, or an op takes the whole of it");
    if (length_of(s, side) != axis->tiles) return refuse(axis, "its blocks are of several lengths");
    tt_ops_add(s->arena, side % SIDES == ROWS ? &axis->rows : &axis->cols,
               s->allocs.data[side / SIDES]);
  }
  for (intptr_t i = 0; i < s->ops.n; ++i) {
    MlirOperation op = s->ops.data[i];
    bool reads = tt_read_to_cb_isa(op);
    if (!reads && !tt_write_from_cb_isa(op)) continue;
    intptr_t first = reads ? 1 : 2,
             n = mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, first - 1))),
             block = block_of(s, reads ? tt_read_to_cb_cb(op) : tt_write_from_cb_cb(op));
    for (int side = 0; side < SIDES; ++side) {
      intptr_t d = n - SIDES + side;
      if (!is_in[root_of(s, block + side)]) continue;
      if (d < 0 || !starts_there(axis, mlirOperationGetOperand(op, first + d)))
        return refuse(axis, "a block of its length is moved from elsewhere");
    }
  }
  return true;
}

static void find_axis(const Sides *s, TtBlockAxis *axis) {
  bool *is_in = tt_arena_alloc(s->arena, (size_t)(SIDES * (s->allocs.n + s->ops.n) + 1));
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
  if (mlirAttributeIsNull(grid) || !tt_find_unit(arena, func, &out->unit)) return false;
  for (int i = 0; i < 3; ++i)
    if ((cells[i] = mlirDenseI64ArrayGetElement(grid, i)) == 0) return false;
  Sides s = {.arena = arena,
             .func = func,
             .allocs = tt_collect(arena, func, "tt.alloc_cb"),
             .ops = tt_collect(arena, func, NULL)};
  size_t sides = (size_t)(SIDES * (s.allocs.n + 4 * s.ops.n) + 1);
  s.dst = tt_arena_alloc(arena, sides * sizeof *s.dst);
  s.parent = tt_arena_alloc(arena, sides * sizeof *s.parent);
  s.fixed = tt_arena_alloc(arena, sides * sizeof *s.fixed);
  for (size_t i = 0; i < sides; ++i) s.parent[i] = (intptr_t)i;
  if (!join_all(&s)) return false;
  for (int i = 0; i < 3; ++i) {
    out->axes[i].cells = cells[i];
    if (cells[i] > 1) out->axes[i].at = coordinate(out->unit, cells, i);
  }
  if (!makes_coordinates(out, out->unit)) return false;
  for (int i = 0; i < 3; ++i) find_axis(&s, &out->axes[i]);
  check_apart(out);
  return true;
}
