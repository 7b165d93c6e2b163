/*===- block_sides.c - sides of blocks that have one length -------------------------------------===
 *
 *   mm.mma %a, %b, dst = 0      pack_to_cb dst = 0 -> %c                     (8x1, 1x8 and 8x8
 * tiles)
 *
 * The rows of %a, of DST and of %c are one class, the columns of %b, DST and %c another, and the
 * columns of %a and the rows of %b a third one, which is fixed: what is summed over has its length.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/block_sides.h"

#include "Analysis/sums.h"
#include "Dialect/op_info.h"
#include "Dialect/shapes.h"

/*===- Classes -------------------------------------------------------------------------------===*/

intptr_t tt_side_root(const TtSides *s, intptr_t side) {
  while (s->parent[side] != side) side = s->parent[side];
  return side;
}

static void join(TtSides *s, intptr_t a, intptr_t b) {
  a = tt_side_root(s, a), b = tt_side_root(s, b);
  s->parent[b] = a;
  s->fixed[a] |= s->fixed[b];
  s->open[a] |= s->open[b];
}

static void fix(TtSides *s, intptr_t side) { s->fixed[tt_side_root(s, side)] = true; }

intptr_t tt_block_sides(const TtSides *s, MlirValue cb) {
  for (intptr_t i = 0; i < s->allocs.n; ++i)
    if (tt_op_eq(tt_defining_op(cb), s->allocs.data[i])) return TT_SIDES * i;
  return -1;
}

static intptr_t dst_block(TtSides *s, int64_t dst, int group) {
  intptr_t i = 0;
  while (i < s->num_dst && (s->dst[i] != dst || s->group[i] != group)) ++i;
  if (i == s->num_dst) s->dst[i] = dst, s->group[i] = group, ++s->num_dst;
  return TT_SIDES * (s->allocs.n + i);
}

static void join_product(TtSides *s, MlirOperation mma, intptr_t result) {
  intptr_t a = tt_block_sides(s, tt_mm_mma_a(mma)), b = tt_block_sides(s, tt_mm_mma_b(mma));
  bool turned = !mlirAttributeIsNull(tt_mm_mma_transpose_b(mma));
  join(s, result + TT_ROWS, a + TT_ROWS);
  join(s, result + TT_COLS, b + (turned ? TT_ROWS : TT_COLS));
  join(s, a + TT_COLS, b + (turned ? TT_COLS : TT_ROWS));
  fix(s, a + TT_COLS);
}

static void join_operand(TtSides *s, TtAccess access, intptr_t operand, intptr_t result) {
  bool turned = access == TT_ACCESS_TURNED;
  if (access == TT_ACCESS_FULL || turned || access == TT_ACCESS_COLS ||
      access == TT_ACCESS_REDUCED_ROW)
    join(s, result + (turned ? TT_COLS : TT_ROWS), operand + TT_ROWS);
  if (access == TT_ACCESS_FULL || turned || access == TT_ACCESS_ROWS ||
      access == TT_ACCESS_REDUCED_COL)
    join(s, result + (turned ? TT_ROWS : TT_COLS), operand + TT_COLS);
  if (access == TT_ACCESS_REDUCED_ROW) fix(s, operand + TT_COLS);
  if (access == TT_ACCESS_REDUCED_COL) fix(s, operand + TT_ROWS);
  if (access == TT_ACCESS_PART || access == TT_ACCESS_INSET) /* places in it are fixed */
    for (int side = 0; side < TT_SIDES; ++side) fix(s, operand + side), fix(s, result + side);
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

/* What is computed of places in a block needs where it begins, and what is packed to a place in a
 * circular buffer needs where that is. */
static void fix_places(TtSides *s, MlirOperation op, intptr_t result) {
  MlirAttribute steps = tt_sfpu_scalar_isa(op) ? tt_sfpu_scalar_steps(op) : (MlirAttribute){NULL};
  for (int side = 0; side < TT_SIDES && !mlirAttributeIsNull(steps); ++side)
    if (mlirDenseI64ArrayGetElement(steps, side) != 0) fix(s, result + side);
  if (tt_pack_to_cb_isa(op) && !tt_is_null_value(tt_pack_to_cb_place(op)))
    fix(s, result + TT_ROWS), fix(s, result + TT_COLS);
}

/* An op that computes: its result, in DST, and what it takes. A constant's slot is of a section of
 * its own, though other ops name one of that number. */
static void join_compute(TtSides *s, MlirOperation op, int group) {
  const TtOpInfo *info = tt_op_info(op);
  MlirValue out = tt_op_fills(op);
  if (!tt_is_null_value(out) && is_constant(out)) {
    fix(s, tt_block_sides(s, out) + TT_ROWS), fix(s, tt_block_sides(s, out) + TT_COLS);
    return;
  }
  intptr_t result = dst_block(s, tt_op_dst(op), group);
  fix_places(s, op, result);
  MlirAttribute sources = tt_dst_sources(op);
  intptr_t n = mlirAttributeIsNull(sources) ? 0 : mlirDenseArrayGetNumElements(sources);
  if (!tt_is_null_value(out)) join_operand(s, TT_ACCESS_FULL, tt_block_sides(s, out), result);
  for (intptr_t i = 0; i < n; ++i)
    join_operand(s, TT_ACCESS_FULL, dst_block(s, mlirDenseI64ArrayGetElement(sources, i), group),
                 result);
  if (tt_mm_mma_isa(op)) join_product(s, op, result);
  else
    for (int i = 0; i < info->num_reads; ++i)
      join_operand(s, tt_access(op, i), tt_block_sides(s, tt_op_reads(op, i)), result);
}

/* Notes something of all blocks that an op names: that they are fixed, or open. */
static void mark_all(const TtSides *s, MlirOperation op, bool *marks) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    intptr_t block = tt_block_sides(s, mlirOperationGetOperand(op, i));
    for (int side = 0; side < TT_SIDES && block >= 0; ++side)
      marks[tt_side_root(s, block + side)] = true;
  }
}

/* What is put together from elements has the size that its move says. */
static bool is_boxed(MlirOperation op) { return !mlirAttributeIsNull(tt_op_attr(op, "box")); }

/* Products that have DST to themselves count its tiles; others name slots of a tile. */
static bool counts_tiles(MlirOperation op) { return tt_mm_mma_isa(op) && tt_op_dst(op) != 0; }

static bool names_its_blocks(const TtSides *s, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (tt_cb_type_isa(mlirValueGetType(value)) && tt_block_sides(s, value) < 0) return false;
  }
  return true;
}

/* Whether the group that begins with this op, up to the one that packs it, has DST to itself: no
 * product adds to it. */
static bool packs_itself(MlirOperation op) {
  for (; !mlirOperationIsNull(op) && mlirOperationGetNumRegions(op) == 0; op = tt_next(op)) {
    TtAct does = tt_op_info(op)->does;
    if (does == TT_ACT_PACK_BLOCK) return true;
    if (does != TT_ACT_COMPUTE) continue;
    if (tt_mm_mma_isa(op)) return false;
    if (!tt_is_null_value(tt_op_fills(op))) return true;
  }
  return false;
}

/* Products leave their results in DST until something is packed, behind their loops, too. */
static bool join_all(TtSides *s) {
  bool has_product = false, in_group = false;
  int group = 0, groups = 0;
  for (intptr_t i = 0; i < s->ops.n; ++i) {
    MlirOperation op = s->ops.data[i];
    TtAct does = tt_op_info(op)->does;
    if (!names_its_blocks(s, op) || counts_tiles(op)) return false;
    if (does != TT_ACT_COMPUTE && does != TT_ACT_PACK_BLOCK) {
      bool opens = does == TT_ACT_OPEN || does == TT_ACT_CLOSE,
           moves = does == TT_ACT_LOAD || does == TT_ACT_STORE;
      if (opens) mark_all(s, op, s->open);
      else if (!moves || is_boxed(op)) mark_all(s, op, s->fixed);
      continue;
    }
    bool product = tt_mm_mma_isa(op), packs = !tt_is_null_value(tt_op_fills(op));
    if (product || !in_group) group = !has_product && packs_itself(op) ? ++groups : 0;
    join_compute(s, op, group);
    in_group = !product && !packs, has_product = !packs && (has_product || product);
  }
  return true;
}

/* D1 fills what is written behind a product, where nothing says so yet. */
static bool is_filled(const TtSides *s, MlirValue cb) {
  for (intptr_t i = 0; i < s->ops.n; ++i) {
    MlirValue fills = tt_op_fills(s->ops.data[i]);
    if (!tt_is_null_value(fills) && tt_value_eq(fills, cb)) return true;
  }
  return false;
}

static bool fill_all(const TtSides *s) {
  for (intptr_t i = 0; i < s->ops.n; ++i)
    if (tt_write_from_cb_isa(s->ops.data[i]) && !is_filled(s, tt_write_from_cb_cb(s->ops.data[i])))
      return false;
  return true;
}

bool tt_find_sides(TtArena *arena, MlirOperation func, TtSides *s) {
  *s = (TtSides){.arena = arena,
                 .func = func,
                 .allocs = tt_collect(arena, func, "tt.alloc_cb"),
                 .ops = tt_collect(arena, func, NULL)};
  size_t sides = (size_t)(TT_SIDES * (s->allocs.n + 4 * s->ops.n) + 1);
  s->dst = tt_arena_alloc(arena, sides * sizeof *s->dst);
  s->group = tt_arena_alloc(arena, sides * sizeof *s->group);
  s->parent = tt_arena_alloc(arena, sides * sizeof *s->parent);
  s->fixed = tt_arena_alloc(arena, sides * sizeof *s->fixed);
  s->open = tt_arena_alloc(arena, sides * sizeof *s->open);
  for (size_t i = 0; i < sides; ++i) s->parent[i] = (intptr_t)i;
  return fill_all(s) && join_all(s);
}

int64_t tt_side_length(const TtSides *s, intptr_t side) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(s->allocs.data[side / TT_SIDES], 0));
  return side % TT_SIDES == TT_ROWS ? tt_cb_rows(type) : tt_cb_cols(type);
}
