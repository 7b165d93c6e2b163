/*===- split_rows.c - --tt-split-rows -----------------------------------------------------------===
 *
 * Deals the columns of a block of rows to several cores, which put together what they know of a
 * row.
 *
 *   before  8 units of 1 x 32 tiles on 8 cores
 *           tt.read_to_cb %X[%row, 0], %x                                    (1x32 tiles)
 *           tt.fpu.reduce sum_row, %x, %ones, dst = 0 -> %sum
 *   after   64 units of 1 x 4 tiles on 8 x 8 cores
 *           tt.read_to_cb %X[%row, %part * 128], %x                          (1x4)
 *           tt.fpu.reduce sum_row, %x, %ones, dst = 0 -> %own
 *           tt.gather_parts %own -> %both apart = 1                          (1x1 to 1x2)
 *           tt.part_to_dst %both[0, 0], dst = 0; tt.part_to_dst %both[0, 1], dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0 -> %own2
 *           … with the cores 2 apart, and 4 apart …                          -> %sum
 *
 * The cores of a row stand in a row of the grid, those with the same columns in a rectangle, which
 * shares weights (--tt-share-operands), in the row of the grid where the shards of their tensors
 * are, if all of these lie in L1 so; where blocks fill no rectangle so, as 64 on 13 x 10 cores,
 * those of a row stand one below the other, and read the first rows of weights. Results a row, as
 * the deviations of a layer norm, are written by the first of them. Done where there are fewer
 * blocks of rows than cores.
 *
 * Legal where a unit is a row of tiles, all of its ops are elementwise, broadcasts or reductions
 * along the row, and what is written has all of its columns, or none. The sums of a row are added
 * in another order: of parts, then of these; what is computed of them goes on in DST. Done where
 * the cost model gains a twelfth.
 *
 * Requires tile intrinsics (C2), after --tt-fit-units. Leaves the work as B1 would have split it.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/split_rows.h"
#include "Analysis/block_axes.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/first_rows.h"
#include "Transforms/Partition/partition.h"

static const char *const pass = "tt-split-rows";

enum { LEAST_GAIN = 12 }; /* a twelfth */

/*===- What is in a unit ---------------------------------------------------------------------===*/

/* The op whose result `op` goes on with in DST comes before it in its group. */
static bool starts_group(MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation last = {NULL};
  for (MlirOperation o = mlirBlockGetFirstOperation(block); !tt_op_eq(o, op); o = tt_next(o)) {
    TtAct does = tt_op_info(o)->does;
    if (does == TT_ACT_COMPUTE || does == TT_ACT_PACK_BLOCK) last = o;
  }
  return mlirOperationIsNull(last) || !tt_is_null_value(tt_op_fills(last));
}

static const char *check_move(TtRows *r, MlirOperation op) {
  TtMove move;
  if (!tt_move_of(op, &move)) return tt_gather_parts_isa(op) ? "its rows are split already" : NULL;
  if (!tt_is_row(r, move.cb)) {
    const char *reason = move.in ? NULL : tt_why_no_row_result(r, op);
    if (!move.in) tt_ops_add(r->arena, &r->results, op);
    return reason;
  }
  if (!mlirAttributeIsNull(tt_move_box(&move)) || !mlirAttributeIsNull(tt_op_attr(op, "partial")) ||
      move.rank < 1)
    return "a row is moved element by element, or ends behind its tensor";
  tt_ops_add(r->arena, &r->moves, op);
  return NULL;
}

static const char *check_compute(TtRows *r, MlirOperation op) {
  if (tt_mm_mma_isa(op)) return "it has products";
  if (tt_sfpu_scalar_isa(op) && !mlirAttributeIsNull(tt_sfpu_scalar_steps(op)))
    return "what it computes depends on the column";
  for (int i = 0; i < tt_op_info(op)->num_reads; ++i) {
    MlirValue cb = tt_op_reads(op, i);
    if (!tt_is_row(r, cb)) continue;
    switch (tt_access(op, i)) {
    case TT_ACCESS_FULL:
    case TT_ACCESS_ROWS: break;
    case TT_ACCESS_REDUCED_ROW:
      if (!starts_group(op) || tt_op_dst(op) != 0) return "a reduction goes on with what is in DST";
      tt_ops_add(r->arena, &r->reductions, op);
      break;
    default: return "an op takes a part of a row, or turns it";
    }
  }
  return NULL;
}

static const char *check_ops(TtRows *r) {
  MlirOperation units = tt_parent(tt_defining_op(r->unit));
  for (intptr_t i = 0; i < r->ops.n; ++i) {
    MlirOperation op = r->ops.data[i];
    const TtOpInfo *info = tt_op_info(op);
    const char *reason = NULL;
    if (mlirOperationGetNumRegions(op) > 0 && !tt_op_eq(op, units)) return "a unit has loops";
    if (info->level != TT_LEVEL_PROTOCOL_FREE) continue;
    if (info->does == TT_ACT_LOAD || info->does == TT_ACT_STORE) reason = check_move(r, op);
    else if (info->does == TT_ACT_COMPUTE) reason = check_compute(r, op);
    else if (info->does == TT_ACT_NOTHING && !tt_alloc_cb_isa(op))
      return "an integer of a tensor steers it";
    if (reason) return reason;
  }
  return r->reductions.n > 0 ? NULL : "nothing is known of a row as a whole";
}

/* Rows of tiles of one length, and single tiles. */
static bool find_rows(TtRows *r) {
  for (intptr_t i = 0; i < r->allocs.n; ++i) {
    MlirType type = mlirValueGetType(tt_alloc_cb_cb(r->allocs.data[i]));
    if (tt_cb_rows(type) != 1) return false;
    if (tt_cb_cols(type) > r->tiles) r->tiles = tt_cb_cols(type);
  }
  for (intptr_t i = 0; i < r->allocs.n; ++i) {
    int64_t cols = tt_cb_cols(mlirValueGetType(tt_alloc_cb_cb(r->allocs.data[i])));
    if (cols != 1 && cols != r->tiles) return false;
  }
  return r->tiles > 1;
}

/*===- The kernel ----------------------------------------------------------------------------===*/

static void split_moves(const TtRows *r, const TtGroups *g, MlirValue part) {
  for (intptr_t i = 0; i < r->moves.n; ++i) {
    MlirOperation op = r->moves.data[i];
    TtMove move;
    tt_move_of(op, &move);
    TtBuilder b = tt_builder_before(op);
    MlirLocation loc = mlirOperationGetLocation(op);
    intptr_t last = tt_operand_number(op, tt_op_info(op)->moves) + move.rank;
    MlirValue from = tt_mul(&b, loc, part, tt_index(&b, loc, r->tiles / g->parts * TT_TILE));
    mlirOperationSetOperand(op, last, tt_add(&b, loc, mlirOperationGetOperand(op, last), from));
  }
}

static void set_tiles(const TtRows *r, int64_t from, int64_t to) {
  for (intptr_t i = 0; i < r->allocs.n; ++i) {
    MlirValue cb = tt_alloc_cb_cb(r->allocs.data[i]);
    MlirType type = mlirValueGetType(cb);
    int64_t shape[2] = {1, to};
    if (tt_cb_cols(type) != from) continue;
    mlirValueSetType(cb, tt_cb_type_get(mlirOperationGetContext(r->func), 2, shape,
                                        tt_cb_type_element_type(type)));
  }
}

/* The last op of the group that starts with `op` and packs its result. */
static MlirValue packed_to(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = tt_next(op)) {
    MlirValue out = tt_op_fills(op);
    if (!tt_is_null_value(out)) return out;
  }
  return (MlirValue){NULL};
}

/* The copy to DST with which the next group starts, where nothing else takes the result `out` of
 * `op`, of f32: null where there is none. */
static MlirOperation only_copy(const TtRows *r, MlirOperation op, MlirValue out) {
  MlirOperation none = {NULL}, next = tt_next(op);
  if (tt_is_null_value(out) || !r->wide ||
      !mlirTypeIsAF32(tt_cb_type_element_type(mlirValueGetType(out))))
    return none;
  while (tt_alloc_cb_isa(next) || tt_op_is(next, "arith.constant")) next = tt_next(next);
  if (!tt_copy_to_dst_isa(next) || !tt_value_eq(tt_copy_to_dst_a(next), out) ||
      tt_op_dst(next) != 0 || !tt_is_null_value(tt_op_fills(next)) ||
      !mlirAttributeIsNull(tt_copy_to_dst_transpose(next)) ||
      !mlirAttributeIsNull(tt_copy_to_dst_repeat(next)))
    return none;
  for (MlirOpOperand use = mlirValueGetFirstUse(out); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tt_op_eq(user, op) && !tt_op_eq(user, next)) return none;
  }
  return next;
}

/* Reduces the columns of this core, and puts together what all cores of the row have. What is
 * computed of the result goes on with it in DST. */
static void gather(const TtRows *r, const TtGroups *g, intptr_t number) {
  MlirOperation op = r->reductions.data[number];
  MlirLocation loc = mlirOperationGetLocation(op);
  TtReduce reduce = tt_fpu_reduce_op(op);
  MlirValue out = tt_fpu_reduce_out(op);
  bool max = tt_reduce_is_max(reduce), rounds = max && !tt_is_null_value(out);
  MlirType element = tt_cb_type_element_type(mlirValueGetType(packed_to(op)));
  MlirOperation copy = only_copy(r, op, out);
  if (!mlirOperationIsNull(copy)) {
    mlirOperationDestroy(copy);
    out = (MlirValue){NULL};
  }
  if (r->wide && !rounds) element = mlirF32TypeGet(mlirOperationGetContext(op));
  TtBuilder b = tt_builder_before(op);
  int64_t tile[2] = {1, 1};
  MlirType part = tt_cb_type_get(b.context, 2, tile, element);
  MlirValue own =
      tt_new_blocks(r->func, loc, tt_arena_printf(r->arena, "own%jd", (intmax_t)number), part, 1);
  tt_fpu_reduce_create(&b, loc, reduce, tt_fpu_reduce_a(op), tt_fpu_reduce_ones(op), 0, own);
  MlirValue all = tt_gather_groups(r->arena, &b, loc, r->func, own, max, g, number);
  tt_combine_blocks(&b, loc, all, part, max, 0, 1, out);
  mlirOperationDestroy(op);
}

static void split(TtRows *r, const TtGroups *g) {
  int64_t cells[3] = {r->units * g->parts, 1, 1};
  set_tiles(r, r->tiles, r->tiles / g->parts);
  MlirValue part = tt_set_group_unit(r->unit, g);
  split_moves(r, g, part);
  tt_write_by_first(r, part);
  for (intptr_t i = 0; i < r->reductions.n; ++i) gather(r, g, i);
  if (g->down) tt_set_units_down(r->arena, r->func, cells, g->parts, g->width);
  else tt_set_units_on(r->arena, r->func, cells, g->cores, g->width);
  tt_erase_dead(r->func);
}

/* Whether `func` is a kernel of row blocks whose units are known. */
static bool read_kernel(TtArena *arena, MlirOperation func, TtRows *r) {
  MlirAttribute grid = tt_get_attr(func, "tt.grid");
  if (mlirAttributeIsNull(grid) || !mlirAttributeIsADenseI64Array(grid) ||
      mlirDenseArrayGetNumElements(grid) != 3 || tt_follows_shards(arena, func) ||
      !tt_str_eq(tt_string(tt_get_attr(func, "tt.partition_mode")), "global"))
    return false;
  *r = (TtRows){.arena = arena,
                .func = func,
                .target = tt_target_of(func),
                .ops = tt_collect(arena, func, NULL),
                .allocs = tt_collect(arena, func, "tt.alloc_cb"),
                .units = 1,
                .tiles = 1,
                .wide = tt_dst_is_32bit(func)};
  for (intptr_t i = 0; i < 3; ++i) r->units *= mlirDenseI64ArrayGetElement(grid, i);
  return r->units > 0 && tt_find_unit(arena, func, &r->unit) && find_rows(r);
}

/* Whether cores that stand in columns are as good as others: they share no weights, which they read
 * for themselves, the first rows alone (--tt-read-first-rows); whole ones take longer than this
 * saves. */
static bool may_stand_down(const TtRows *r) {
  for (intptr_t i = 0; i < r->moves.n; ++i) {
    MlirOperation op = r->moves.data[i];
    TtMove move;
    if (!tt_move_of(op, &move) || !move.in || move.rank > 1) continue;
    if (!tt_takes_first_rows_only(r->arena, r->func, op)) return false;
  }
  return true;
}

/* Whether all tensors that have rows of blocks lie in L1, in shards with a row of the grid for each
 * block of rows. */
static bool lies_in_own_rows(const TtRows *r) {
  TtArgs args = tt_kernel_args(r->arena, r->func);
  for (intptr_t i = 0; i < args.n; ++i) {
    MlirAttribute buffer = tt_named_attr(r->func, "buffer", args.data[i].name);
    MlirType type = mlirValueGetType(args.data[i].value);
    if (!args.data[i].is_tensor || mlirShapedTypeGetRank(type) < 2) continue;
    if (!tt_is_l1_sharded(buffer) || tt_shards_of(buffer, type).grid_rows != r->units) return false;
  }
  return true;
}

/* Of rectangles of as many cores, that in which a block of rows is where its shards are: nothing
 * goes from row to row of the grid then, where what others move meets it. */
static void stand_in_own_rows(const TtRows *r, TtGroups *g) {
  if (g->down || g->each != 1 || r->units > (int64_t)r->target.grid_y || !lies_in_own_rows(r))
    return;
  g->width = g->parts, g->height = r->units;
}

static bool split_rows(TtArena *arena, MlirOperation func) {
  TtRows r;
  TtGroups g, before;
  if (!read_kernel(arena, func, &r)) return true;
  const char *reason = check_ops(&r);
  if (!reason) {
    before = tt_without_groups(r.target, r.units, tt_split_clk, &r);
    if (!tt_find_groups(r.target, r.units, r.tiles, may_stand_down(&r), tt_split_clk, &r, &g) ||
        g.clk * LEAST_GAIN >= before.clk * (LEAST_GAIN - 1))
      reason = "waiting for each other takes longer than it saves";
  }
  if (reason) {
    if (r.reductions.n > 0)
      tt_remark(func, TT_REMARK_MISSED, pass, "a block of rows stays on one core: %s", reason);
    return true;
  }
  tt_remark(
      func, TT_REMARK_PASSED, pass,
      "a block of rows is on %jd cores, which have %jd of its %jd columns of tiles each: about "
      "%.0f clk, not %.0f",
      (intmax_t)g.parts, (intmax_t)(r.tiles / g.parts), (intmax_t)r.tiles, g.clk, before.clk);
  stand_in_own_rows(&r, &g);
  split(&r, &g);
  return true;
}

bool tt_run_split_rows(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, split_rows);
}
