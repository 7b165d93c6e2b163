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
 * shares weights (--tt-share-operands). Done where there are fewer blocks of rows than cores.
 *
 * Legal where a unit is a row of tiles, all of its ops are elementwise, broadcasts or reductions
 * along the row, and what is written has all of its columns. The sums of a row are added in another
 * order: of parts, then of these; what is computed of them goes on in DST. Done where the cost
 * model gains a fifth: it does not know how cores that read in turns overlap, which those that wait
 * for each other do less.
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
#include "Transforms/Partition/partition.h"

static const char *const pass = "tt-split-rows";

/* A fifth is the least gain; more parts than these wait longer for each other than they save. */
enum { LEAST_GAIN = 5, MOST_PARTS = 8 };

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
  if (!tt_is_row(r, move.cb)) return move.in ? NULL : "it writes what is no whole row";
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

/*===- How to split it ------------------------------------------------------------------------===*/

static TtRowSplit as_it_is(const TtRows *r) {
  int64_t cores = r->target.grid_x * r->target.grid_y;
  TtRowSplit s = {.parts = 1, .width = r->units < cores ? r->units : cores, .height = 1};
  s.each = (r->units + s.width - 1) / s.width;
  s.clk = tt_split_clk(r, &s);
  return s;
}

/* The best split on rectangles of cores that all have as many units; false where none gains. Of two
 * that are as fast the wider one: more columns of links bring rows, and take results away. */
static bool find_split(const TtRows *r, TtRowSplit *best) {
  TtRowSplit old = as_it_is(r);
  *best = old;
  for (int64_t parts = 2; parts <= MOST_PARTS && parts <= r->tiles; ++parts) {
    if (r->tiles % parts != 0) continue;
    for (int64_t width = parts; width <= r->target.grid_x; width += parts)
      for (int64_t height = 1; height <= r->target.grid_y; ++height) {
        if (r->units * parts != width * height) continue;
        TtRowSplit s = {parts, width, height, r->units * parts / (width * height), 0};
        s.clk = tt_split_clk(r, &s);
        if (s.clk < best->clk || (best->parts > 1 && s.clk == best->clk)) *best = s;
      }
  }
  return best->clk * LEAST_GAIN < old.clk * (LEAST_GAIN - 1);
}

/*===- The kernel ----------------------------------------------------------------------------===*/

/* Which block of rows a unit is of, in the place of the unit; returns the number of its part.
 * Core c = unit / each is in row c / width, and the (c % width / apart)-th of its group. */
static MlirValue set_unit(const TtRows *r, const TtRowSplit *s) {
  MlirOperation old = tt_defining_op(r->unit);
  MlirLocation loc = mlirOperationGetLocation(old);
  TtBuilder b = tt_builder_before(old);
  int64_t apart = s->width / s->parts;
  MlirValue unit =
                tt_add(&b, loc, mlirOperationGetOperand(old, 0), mlirOperationGetOperand(old, 1)),
            width = tt_index(&b, loc, s->width), each = tt_index(&b, loc, s->each),
            by = tt_index(&b, loc, apart);
  tt_name_hint(tt_defining_op(unit), "tid");
  MlirValue core = tt_div(&b, loc, unit, each), column = tt_rem(&b, loc, core, width),
            part = tt_div(&b, loc, column, by);
  tt_name_hint(tt_defining_op(part), "part");
  MlirValue group = tt_mul(&b, loc, tt_div(&b, loc, core, width), by);
  if (apart > 1) group = tt_add(&b, loc, group, tt_rem(&b, loc, column, by));
  MlirValue row = tt_mul(&b, loc, group, each);
  if (s->each > 1) row = tt_add(&b, loc, row, tt_rem(&b, loc, unit, each));
  tt_name_hint(tt_defining_op(row), "block");
  tt_replace(old, row);
  return part;
}

static void split_moves(const TtRows *r, const TtRowSplit *s, MlirValue part) {
  for (intptr_t i = 0; i < r->moves.n; ++i) {
    MlirOperation op = r->moves.data[i];
    TtMove move;
    tt_move_of(op, &move);
    TtBuilder b = tt_builder_before(op);
    MlirLocation loc = mlirOperationGetLocation(op);
    intptr_t last = tt_operand_number(op, tt_op_info(op)->moves) + move.rank;
    MlirValue from = tt_mul(&b, loc, part, tt_index(&b, loc, r->tiles / s->parts * TT_TILE));
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

static MlirValue new_cb(const TtRows *r, MlirLocation loc, const char *name, int64_t tiles,
                        MlirType element) {
  TtBuilder top = tt_builder_at_start(tt_body(r->func));
  int64_t shape[2] = {1, tiles};
  MlirType type = tt_cb_type_get(top.context, 2, shape, element);
  return tt_alloc_cb_cb(tt_alloc_cb_create(&top, loc, type, name, tt_i64_attr(top.context, 1)));
}

/* The last op of the group that starts with `op` and packs its result. */
static MlirValue packed_to(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = tt_next(op)) {
    MlirValue out = tt_op_fills(op);
    if (!tt_is_null_value(out)) return out;
  }
  return (MlirValue){NULL};
}

/* What the cores of a group have in %own goes to all of them, and is put together in DST:
 * tt.gather_parts %own -> %all; max or sum of its tiles. */
static void combine_parts(TtBuilder *b, MlirLocation loc, MlirValue all, bool max, MlirValue out) {
  MlirValue zero = tt_index(b, loc, 0), null = {NULL};
  MlirAttribute both = mlirDenseI64ArrayGet(b->context, 2, (int64_t[]){0, 1});
  int64_t n = tt_cb_cols(mlirValueGetType(all));
  tt_part_to_dst_create(b, loc, all, zero, zero, 0, null);
  for (int64_t q = 1; q < n; ++q) {
    tt_part_to_dst_create(b, loc, all, zero, tt_index(b, loc, q), 1, null);
    tt_sfpu_combine_create(b, loc, max ? TT_SFPU_MAX : TT_SFPU_ADD, both, 0,
                           q + 1 == n ? out : null);
  }
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

/* Reduces the columns of this core, and puts together what all cores of the row have, as many at a
 * time as the prime factors of their number say: each step reads the fewest tiles, and all cores
 * come to the same bits where these are 2. What is computed of the result goes on with it in DST.
 */
static void gather(const TtRows *r, const TtRowSplit *s, intptr_t number) {
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
  MlirValue own = new_cb(r, loc, tt_arena_printf(r->arena, "own%jd", (intmax_t)number), 1, element);
  tt_fpu_reduce_create(&b, loc, reduce, tt_fpu_reduce_a(op), tt_fpu_reduce_ones(op), 0, own);
  for (int64_t left = s->parts, apart = s->width / s->parts; left > 1;) {
    int64_t n = tt_least_factor(left);
    const char *name = tt_arena_printf(r->arena, "all%jd_%jd", (intmax_t)number, (intmax_t)apart);
    MlirValue all = new_cb(r, loc, name, n, element);
    tt_gather_parts_create(&b, loc, own, all, apart);
    left /= n, apart *= n;
    if (left > 1)
      own =
          new_cb(r, loc, tt_arena_printf(r->arena, "own%jd_%jd", (intmax_t)number, (intmax_t)apart),
                 1, element);
    combine_parts(&b, loc, all, max, left > 1 ? own : out);
  }
  mlirOperationDestroy(op);
}

static void split(TtRows *r, const TtRowSplit *s) {
  int64_t cells[3] = {r->units * s->parts, 1, 1};
  set_tiles(r, r->tiles, r->tiles / s->parts);
  split_moves(r, s, set_unit(r, s));
  for (intptr_t i = 0; i < r->reductions.n; ++i) gather(r, s, i);
  tt_set_units_on(r->arena, r->func, cells, s->width * s->height, s->width);
  tt_erase_dead(r->func);
}

/* Whether `func` is a kernel of row blocks whose units are known. */
static bool read_kernel(TtArena *arena, MlirOperation func, TtRows *r) {
  MlirAttribute grid = tt_get_attr(func, "tt.grid");
  if (mlirAttributeIsNull(grid) || !mlirAttributeIsADenseI64Array(grid) ||
      mlirDenseArrayGetNumElements(grid) != 3 || tt_has_shards(arena, func) ||
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

static bool split_rows(TtArena *arena, MlirOperation func) {
  TtRows r;
  TtRowSplit s;
  if (!read_kernel(arena, func, &r)) return true;
  const char *reason = check_ops(&r);
  if (!reason && !find_split(&r, &s)) reason = "waiting for each other takes longer than it saves";
  if (reason) {
    if (r.reductions.n > 0)
      tt_remark(func, TT_REMARK_MISSED, pass, "a block of rows stays on one core: %s", reason);
    return true;
  }
  tt_remark(
      func, TT_REMARK_PASSED, pass,
      "a block of rows is on %jd cores, which have %jd of its %jd columns of tiles each: about "
      "%.0f clk, not %.0f",
      (intmax_t)s.parts, (intmax_t)(r.tiles / s.parts), (intmax_t)r.tiles, s.clk, as_it_is(&r).clk);
  split(&r, &s);
  return true;
}

bool tt_run_split_rows(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, split_rows);
}
