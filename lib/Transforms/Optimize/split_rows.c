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
 *           tt.gather_parts %own -> %all apart = 1                           (1x1 to 1x8)
 *           tt.part_to_dst %all[0, 0], dst = 0; tt.part_to_dst %all[0, 1], dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0; …                         -> %sum
 *
 * The cores of a group stand in a row of the grid, `apart` from each other, so that those with the
 * same columns are a rectangle, which shares weights (--tt-share-operands). Where there are as many
 * blocks as cores it may gain, too: a core then has several shorter units, of which it reads one
 * while it computes the one before.
 *
 * Legal where a unit is a row of tiles, all of its ops are elementwise, broadcasts or reductions
 * along the row, and what is written has all of its columns. The sums of a row are added in another
 * order: of parts, then of these. Done where the cost model gains a tenth.
 *
 * Requires tile intrinsics (C2), after --tt-fit-units. Leaves the work as B1 would have split it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/block_axes.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Target/costs.h"
#include "Transforms/Partition/partition.h"

static const char *const pass = "tt-split-rows";

/* A tenth is the least gain; more parts than these wait longer for each other than they save. */
enum { LEAST_GAIN = 10, MOST_PARTS = 8 };

typedef struct Rows {
  TtArena *arena;
  MlirOperation func;
  TtTarget target;
  TtOps ops, allocs;
  MlirValue unit;
  int64_t units, tiles; /* blocks of rows, and the tiles of one */
  bool wide;            /* DST has 32 bits */
  TtOps moves, reductions; /* of whole rows */
} Rows;

/* `parts` cores a row, on `width` x `height` cores of `each` units. */
typedef struct Split {
  int64_t parts, width, height, each;
  double clk;
} Split;

/*===- What is in a unit ---------------------------------------------------------------------===*/

static bool is_row(const Rows *r, MlirValue cb) {
  return tt_cb_cols(mlirValueGetType(cb)) == r->tiles;
}

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

static const char *check_move(Rows *r, MlirOperation op) {
  TtMove move;
  if (!tt_move_of(op, &move)) return tt_gather_parts_isa(op) ? "its rows are split already" : NULL;
  if (!is_row(r, move.cb)) return move.in ? NULL : "it writes what is no whole row";
  if (!mlirAttributeIsNull(tt_move_box(&move)) || !mlirAttributeIsNull(tt_op_attr(op, "partial")) ||
      move.rank < 1)
    return "a row is moved element by element, or ends behind its tensor";
  tt_ops_add(r->arena, &r->moves, op);
  return NULL;
}

static const char *check_compute(Rows *r, MlirOperation op) {
  if (tt_mm_mma_isa(op)) return "it has products";
  if (tt_sfpu_scalar_isa(op) && !mlirAttributeIsNull(tt_sfpu_scalar_steps(op)))
    return "what it computes depends on the column";
  for (int i = 0; i < tt_op_info(op)->num_reads; ++i) {
    MlirValue cb = tt_op_reads(op, i);
    if (!is_row(r, cb)) continue;
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

static const char *check_ops(Rows *r) {
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
static bool find_rows(Rows *r) {
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

/*===- What it takes -------------------------------------------------------------------------===*/

static double page_bytes(MlirValue cb) {
  TtDType dtype = TT_D_TYPE_BF16;
  tt_dtype_of(tt_cb_type_element_type(mlirValueGetType(cb)), &dtype);
  return (double)tt_format(dtype)->tile_bytes;
}

/* The function of an op of the vector unit. */
static double vector_clk(const Rows *r, MlirOperation op) {
  return tt_vector_clk(tt_costs(r->target.chip),
                       tt_vector_of_sfpu((int)tt_int(tt_op_attr(op, "op"))), r->wide);
}

/* The engine's time for a tile of a row: math, or unpack where that is longer. */
static double tile_clk(const Rows *r) {
  const TtCosts *costs = tt_costs(r->target.chip);
  double math = 0, unpack = 0;
  bool row = false;
  for (intptr_t i = 0; i < r->ops.n; ++i) {
    MlirOperation op = r->ops.data[i];
    const TtOpInfo *info = tt_op_info(op);
    if (info->does != TT_ACT_COMPUTE) continue;
    double bytes = 0;
    for (int j = 0; j < info->num_reads; ++j) {
      row |= is_row(r, tt_op_reads(op, j));
      bytes += page_bytes(tt_op_reads(op, j));
    }
    if (row) {
      math += info->unit == TT_UNIT_SFPU ? vector_clk(r, op)
                                         : tt_math_clk(costs, TT_MATH_copy, TT_FIDELITIES);
      if (bytes > 0)
        unpack += tt_unpack_clk(r->target.chip, costs, (uint64_t)bytes, info->num_reads < 2);
    }
    if (!tt_is_null_value(tt_op_fills(op))) row = false;
  }
  return math > unpack ? math : unpack;
}

/* From a reduction's result on one core to that of the whole row. */
static double gather_clk(const Rows *r, MlirOperation reduction, int64_t parts) {
  const TtChip *chip = r->target.chip;
  const TtCosts *costs = tt_costs(chip);
  bool max = tt_reduce_is_max(tt_fpu_reduce_op(reduction));
  double page = r->wide ? 4 * TT_TILE * TT_TILE : 2 * TT_TILE * TT_TILE,
         signal = (double)(chip->write_latency + chip->write_hop * chip->grid_x),
         calls = (double)(chip->call * 3 * (uint64_t)parts),
         reads = (double)chip->read_latency[TT_READ_OTHER] +
                 (double)parts * page / (double)chip->noc_bytes_per_clk,
         add = tt_vector_clk(costs,
                             tt_vector_of_sfpu(max ? (int)TT_SFPU_MAX : (int)TT_SFPU_ADD),
                             r->wide) +
               tt_unpack_clk(chip, costs, (uint64_t)page, true);
  return signal + calls + reads + (double)parts * add;
}

static double bytes_of(const Rows *r, bool in) {
  double bytes = 0;
  for (intptr_t i = 0; i < r->moves.n; ++i) {
    TtMove move;
    if (tt_move_of(r->moves.data[i], &move) && move.in == in && move.rank > 1)
      bytes += page_bytes(move.cb) * (double)r->tiles;
  }
  return bytes;
}

/* The first units are read by all cores, then computed while others are read, and the last are
 * written. */
static double clk_of(const Rows *r, const Split *s) {
  const TtChip *chip = r->target.chip;
  double cores = (double)(s->width * s->height), part = 1.0 / (double)s->parts,
         dram = (double)(chip->bank_bytes_per_clk * chip->dram_banks),
         port = (double)chip->noc_bytes_per_clk, rate = cores * port < dram ? cores * port : dram,
         reads = cores * bytes_of(r, true) * part / rate,
         writes = cores * bytes_of(r, false) * part / rate,
         compute = (double)r->tiles * part * tile_clk(r);
  for (intptr_t i = 0; s->parts > 1 && i < r->reductions.n; ++i)
    compute += gather_clk(r, r->reductions.data[i], s->parts);
  double step = compute > reads ? compute : reads;
  return reads + compute + (double)(s->each - 1) * step + writes;
}

static Split as_it_is(const Rows *r) {
  int64_t cores = r->target.grid_x * r->target.grid_y;
  Split s = {.parts = 1, .width = r->units < cores ? r->units : cores, .height = 1};
  s.each = (r->units + s.width - 1) / s.width;
  s.clk = clk_of(r, &s);
  return s;
}

/* The best split on rectangles of cores that all have as many units; false where none gains. */
static bool find_split(const Rows *r, Split *best) {
  Split old = as_it_is(r);
  *best = old;
  for (int64_t parts = 2; parts <= MOST_PARTS && parts <= r->tiles; ++parts) {
    if (r->tiles % parts != 0) continue;
    for (int64_t width = parts; width <= r->target.grid_x; width += parts)
      for (int64_t height = 1; height <= r->target.grid_y; ++height) {
        if (r->units * parts % (width * height) != 0) continue;
        Split s = {parts, width, height, r->units * parts / (width * height), 0};
        s.clk = clk_of(r, &s);
        if (s.clk < best->clk) *best = s;
      }
  }
  return best->clk * LEAST_GAIN < old.clk * (LEAST_GAIN - 1);
}

/*===- The kernel ----------------------------------------------------------------------------===*/

/* Which block of rows a unit is of, in the place of the unit; returns the number of its part.
 * Core c = unit / each is in row c / width, and the (c % width / apart)-th of its group. */
static MlirValue set_unit(const Rows *r, const Split *s) {
  MlirOperation old = tt_defining_op(r->unit);
  MlirLocation loc = mlirOperationGetLocation(old);
  TtBuilder b = tt_builder_before(old);
  int64_t apart = s->width / s->parts;
  MlirValue unit = tt_add(&b, loc, mlirOperationGetOperand(old, 0), mlirOperationGetOperand(old, 1)),
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

static void split_moves(const Rows *r, const Split *s, MlirValue part) {
  for (intptr_t i = 0; i < r->moves.n; ++i) {
    MlirOperation op = r->moves.data[i];
    TtMove move;
    tt_move_of(op, &move);
    TtBuilder b = tt_builder_before(op);
    MlirLocation loc = mlirOperationGetLocation(op);
    intptr_t last = tt_operand_number(op, tt_op_info(op)->moves) + move.rank;
    MlirValue from =
        tt_mul(&b, loc, part, tt_index(&b, loc, r->tiles / s->parts * TT_TILE));
    mlirOperationSetOperand(op, last, tt_add(&b, loc, mlirOperationGetOperand(op, last), from));
  }
}

static void set_tiles(const Rows *r, int64_t from, int64_t to) {
  for (intptr_t i = 0; i < r->allocs.n; ++i) {
    MlirValue cb = tt_alloc_cb_cb(r->allocs.data[i]);
    MlirType type = mlirValueGetType(cb);
    int64_t shape[2] = {1, to};
    if (tt_cb_cols(type) != from) continue;
    mlirValueSetType(cb, tt_cb_type_get(mlirOperationGetContext(r->func), 2, shape,
                                        tt_cb_type_element_type(type)));
  }
}

static MlirValue new_cb(const Rows *r, MlirLocation loc, const char *name, int64_t tiles,
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

/* Reduces the columns of this core, gathers what the others have, and puts it together. */
static void gather(const Rows *r, const Split *s, intptr_t number) {
  MlirOperation op = r->reductions.data[number];
  MlirLocation loc = mlirOperationGetLocation(op);
  TtReduce reduce = tt_fpu_reduce_op(op);
  MlirValue out = tt_fpu_reduce_out(op), null = {NULL};
  MlirType element = tt_cb_type_element_type(mlirValueGetType(packed_to(op)));
  if (r->wide) element = mlirF32TypeGet(mlirOperationGetContext(op));
  MlirValue own = new_cb(r, loc, tt_arena_printf(r->arena, "own%jd", (intmax_t)number), 1, element),
            all = new_cb(r, loc, tt_arena_printf(r->arena, "all%jd", (intmax_t)number), s->parts,
                         element);
  TtBuilder b = tt_builder_before(op);
  MlirValue zero = tt_index(&b, loc, 0);
  tt_fpu_reduce_create(&b, loc, reduce, tt_fpu_reduce_a(op), tt_fpu_reduce_ones(op), 0, own);
  tt_gather_parts_create(&b, loc, own, all, s->width / s->parts);
  tt_part_to_dst_create(&b, loc, all, zero, zero, 0, null);
  MlirAttribute both = mlirDenseI64ArrayGet(b.context, 2, (int64_t[]){0, 1});
  for (int64_t q = 1; q < s->parts; ++q) {
    tt_part_to_dst_create(&b, loc, all, zero, tt_index(&b, loc, q), 1, null);
    tt_sfpu_combine_create(&b, loc, tt_reduce_is_max(reduce) ? TT_SFPU_MAX : TT_SFPU_ADD, both, 0,
                           q + 1 == s->parts ? out : null);
  }
  mlirOperationDestroy(op);
}

static void split(Rows *r, const Split *s) {
  int64_t cells[3] = {r->units * s->parts, 1, 1};
  set_tiles(r, r->tiles, r->tiles / s->parts);
  split_moves(r, s, set_unit(r, s));
  for (intptr_t i = 0; i < r->reductions.n; ++i) gather(r, s, i);
  tt_set_units_on(r->arena, r->func, cells, s->width * s->height, s->width);
  tt_erase_dead(r->func);
}

static bool has_shards(MlirOperation func, TtArgs args) {
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor && tt_is_sharded(tt_named_attr(func, "buffer", args.data[i].name)))
      return true;
  return false;
}

/* Whether `func` is a kernel of row blocks whose units are known. */
static bool read_kernel(TtArena *arena, MlirOperation func, Rows *r) {
  MlirAttribute grid = tt_get_attr(func, "tt.grid");
  if (mlirAttributeIsNull(grid) || !mlirAttributeIsADenseI64Array(grid) ||
      mlirDenseArrayGetNumElements(grid) != 3 || has_shards(func, tt_kernel_args(arena, func)) ||
      !tt_str_eq(tt_string(tt_get_attr(func, "tt.partition_mode")), "global"))
    return false;
  *r = (Rows){.arena = arena,
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
  Rows r;
  Split s;
  if (!read_kernel(arena, func, &r)) return true;
  const char *reason = check_ops(&r);
  if (!reason && !find_split(&r, &s)) reason = "waiting for each other takes longer than it saves";
  if (reason) {
    if (r.reductions.n > 0)
      tt_remark(func, TT_REMARK_MISSED, pass, "a block of rows stays on one core: %s", reason);
    return true;
  }
  tt_remark(func, TT_REMARK_PASSED, pass,
            "a block of rows is on %jd cores, which have %jd of its %jd columns of tiles each: about "
            "%.0f clk, not %.0f",
            (intmax_t)s.parts, (intmax_t)(r.tiles / s.parts), (intmax_t)r.tiles, s.clk,
            as_it_is(&r).clk);
  split(&r, &s);
  return true;
}

bool tt_run_split_rows(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, split_rows);
}
