/*===- fit_units.c - --tt-fit-units -------------------------------------------------------------===
 *
 * Cuts a kernel's tiles in other units than its grid says, where the cores are used better.
 *
 *   before  9 x 9 units of 8 x 8 tiles on 8 x 8 cores, of which 17 have two units:
 *           %by = %tid / 9; %m = %by * 256; tt.read_to_cb %A[%m, %k], %a     (8x1 tiles)
 *   after   8 x 8 units of 9 x 9 tiles, one on each core:
 *           %by = %tid / 8; %m = %by * 288; tt.read_to_cb %A[%m, %k], %a     (9x1 tiles)
 *
 * Of the lengths along each axis those are taken with which a step of all units takes the fewest
 * clk (cut_cost.c), or, without products, which leave the fewest tiles on the busiest core; the
 * last block may end behind its tensors, where these are as long as all units together. With a unit
 * a core, and units in rows that are rows of cores (--tt-place-units), who reads the same is in a
 * line. Legal where only offsets tell units apart (Analysis/block_axes.c); where the grid has one
 * unit along an axis, sides of blocks that begin at 0 and are all of their tensors may be that axis
 * (Analysis/uncut_axes.c). Changes no result.
 *
 * Requires tile intrinsics (C2), before --tt-merge-steps, which has what L1 has left. Leaves the
 * work as B1 would have split it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/block_axes.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/cut_cost.h"
#include "Transforms/Optimize/pack_results.h"
#include "Transforms/Optimize/unit_number.h"
#include "Transforms/Optimize/unit_rectangle.h"
#include "Transforms/Partition/partition.h"

static const char *const pass = "tt-fit-units";

/* A tenth of the time is what it takes to cut anew: less is lost again, as blocks of another
 * length may be worse cut for DST. */
enum { LEAST_GAIN = 10, MOST_ROUNDS = 16, LONG_STEP = 4 };

typedef struct Cut {
  int64_t tiles[3]; /* of a block along each axis, */
  int64_t cells[3]; /* and how many */
  int64_t around;   /* half of a block's circumference: what it reads for what it computes */
  double cost;      /* clk of a step, or tiles of the busiest core */
  bool lines;       /* cores that read the same are in lines */
} Cut;

typedef struct Kernel {
  TtArena *arena;
  MlirOperation func;
  TtTarget target;
  TtBlockAxes axes;
  bool multiplies; /* it has products: others are limited by DRAM rather, which even blocks use
                      better */
  TtCutSteps steps;
  int64_t result_tiles; /* of a product, at most */
  double after; /* clk a tile and step of what goes on with a result that was packed for it */
} Kernel;

static bool can_cut(const Kernel *k, int axis) { return !k->axes.axes[axis].reason; }

/* Units as they are, of one core each at most, are rows of cores; a single row or column of units
 * may be any cores: what all of them read is sent to two rectangles (--tt-share-operands). */
static bool are_rows_of_cores(const Kernel *k, const Cut *cut) {
  int64_t rows = cut->cells[1] * cut->cells[2], beside = 1;
  if (rows == 1 || cut->cells[0] * cut->cells[2] == 1) return true;
  while (rows % beside != 0 || rows / beside > k->target.grid_y) ++beside;
  return cut->cells[0] * beside <= k->target.grid_x;
}

/* Units of a core that follow each other: those below each other read the same of the other
 * operand, and are in a line unless rows are folded. */
static bool are_lines(const Kernel *k, const Cut *cut, int64_t rounds) {
  TtUnitRectangle r;
  return tt_unit_rectangle(cut->cells, rounds, k->target, &r) &&
         (r.across * r.each == cut->cells[0] || cut->cells[1] * cut->cells[2] == 1);
}

static Cut measured(const Kernel *k, Cut cut) {
  int64_t units = 1, cores = k->target.grid_x * k->target.grid_y, area = 1;
  cut.around = 0;
  for (int i = 0; i < 3; ++i) {
    units *= cut.cells[i];
    if (!can_cut(k, i)) continue;
    area *= cut.tiles[i], cut.around += cut.tiles[i];
  }
  int64_t rounds = (units + cores - 1) / cores;
  bool lines = rounds == 1 ? are_rows_of_cores(k, &cut) : are_lines(k, &cut, rounds);
  cut.cost = k->multiplies ? tt_cut_clk(&k->steps, cut.tiles, cut.cells, lines) +
                                 k->after * (double)(rounds * tt_cut_result(&k->steps, cut.tiles))
                           : (double)(rounds * area);
  cut.lines = lines;
  return cut;
}

static bool is_better(const Cut *a, const Cut *b) {
  return a->cost < b->cost || (a->cost <= b->cost && a->around < b->around);
}

/* Cuts an axis in at most `cells` blocks of one length, the last of which may end behind its
 * tensors; false where it cannot be cut so. */
static bool cut_axis(const Kernel *k, int axis, const Cut *old, int64_t cells, Cut *cut) {
  int64_t all = old->tiles[axis] * old->cells[axis];
  if (!can_cut(k, axis)) return cells == 1;
  cut->tiles[axis] = (all + cells - 1) / cells;
  cut->cells[axis] = (all + cut->tiles[axis] - 1) / cut->tiles[axis];
  bool may_end_behind = k->axes.axes[axis].whole && k->multiplies;
  return cut->cells[axis] == cells && (all % cells == 0 || may_end_behind);
}

/* Of cuts with `rounds` units a core, one after the other along x, a better one than `best`, if
 * there is any; the n-th best is found by leaving out those that are not worse than `above`. */
static bool find_of_rounds(const Kernel *k, const Cut *old, const Cut *above, int64_t rounds,
                           bool any, Cut *best) {
  int64_t cores = k->target.grid_x * k->target.grid_y;
  for (int64_t x = 1; x <= cores; ++x)
    for (int64_t y = 1; x * y <= cores; ++y)
      for (int64_t z = 1; x * y * z <= cores; ++z) {
        Cut cut = *old;
        if (!cut_axis(k, 0, old, x * rounds, &cut) || !cut_axis(k, 1, old, y, &cut) ||
            !cut_axis(k, 2, old, z, &cut))
          continue;
        cut = measured(k, cut);
        if (!cut.lines || (above && !is_better(above, &cut))) continue;
        if (!any || is_better(&cut, best)) *best = cut, any = true;
      }
  return any;
}

/* Not more units a core than now. */
static bool find_cut(const Kernel *k, const Cut *old, const Cut *above, Cut *best) {
  int64_t units = old->cells[0] * old->cells[1] * old->cells[2],
          cores = k->target.grid_x * k->target.grid_y, most = (units + cores - 1) / cores;
  bool any = false;
  for (int64_t rounds = 1; rounds <= most && rounds <= MOST_ROUNDS; ++rounds)
    any = find_of_rounds(k, old, above, rounds, any, best);
  return any;
}

/*===- The kernel ----------------------------------------------------------------------------===*/

static void set_side(TtOps allocs, int side, int64_t tiles) {
  for (intptr_t i = 0; i < allocs.n; ++i) {
    MlirValue cb = mlirOperationGetResult(allocs.data[i], 0);
    MlirType type = mlirValueGetType(cb);
    int64_t shape[2] = {tt_cb_rows(type), tt_cb_cols(type)};
    shape[side] = tiles;
    mlirValueSetType(cb, tt_cb_type_get(mlirOperationGetContext(allocs.data[i]), 2, shape,
                                        tt_cb_type_element_type(type)));
  }
}

static void set_elements(TtOps starts, int64_t tiles) {
  for (intptr_t i = 0; i < starts.n; ++i) {
    TtBuilder b = tt_builder_before(starts.data[i]);
    int64_t known;
    int at = tt_constant(mlirOperationGetOperand(starts.data[i], 1), &known) ? 1 : 0;
    mlirOperationSetOperand(
        starts.data[i], at,
        tt_index(&b, mlirOperationGetLocation(starts.data[i]), tiles * TT_TILE));
  }
}

/* Blocks that end behind their tensors, along one axis or more, are partial. */
static void set_partial(const Kernel *k, const Cut *cut) {
  MlirAttribute yes = mlirUnitAttrGet(mlirOperationGetContext(k->func));
  for (int i = 0; i < 3; ++i) {
    const TtBlockAxis *axis = &k->axes.axes[i];
    if (!can_cut(k, i) || cut->tiles[i] * cut->cells[i] == axis->tiles * axis->cells) continue;
    for (intptr_t j = 0; j < axis->moves.n; ++j)
      mlirOperationSetInherentAttributeByName(axis->moves.data[j], tt_str("partial"), yes);
  }
}

static void set_blocks(const Kernel *k, const Cut *cut) {
  for (int i = 0; i < 3; ++i) {
    const TtBlockAxis *axis = &k->axes.axes[i];
    if (!can_cut(k, i)) continue;
    set_side(axis->rows, 0, cut->tiles[i]);
    set_side(axis->cols, 1, cut->tiles[i]);
    set_elements(axis->starts, cut->tiles[i]);
  }
}

/* What moves along an axis that was not cut begins at 0 yet. */
static void set_starts(const TtBlockAxis *axis, MlirValue at, int64_t tiles) {
  TtBuilder b = tt_builder_after(tt_defining_op(at));
  MlirLocation loc = mlirOperationGetLocation(tt_defining_op(at));
  MlirValue start = tt_mul(&b, loc, at, tt_index(&b, loc, tiles * TT_TILE));
  for (intptr_t i = 0; i < axis->moves.n; ++i) {
    TtMove move;
    tt_move_of(axis->moves.data[i], &move);
    intptr_t tensor = tt_operand_number(move.op, tt_op_info(move.op)->moves);
    mlirOperationSetOperand(move.op, tensor + 1 + tt_uncut_dim(axis, &move), start);
  }
}

/* bx = unit % gx, by = unit / gx % gy, bz = unit / (gx * gy) */
static void make_coordinates(const Kernel *k, const Cut *cut, MlirValue at[3]) {
  static const char *const names[3] = {"bx", "by", "bz"};
  MlirOperation unit = tt_defining_op(k->axes.unit);
  MlirLocation loc = mlirOperationGetLocation(unit);
  TtBuilder b = tt_builder_after(unit);
  for (int i = 3; i-- > 0;) {
    int64_t before = 1, after = 1;
    for (int j = 0; j < 3; ++j) *(j < i ? &before : &after) *= j == i ? 1 : cut->cells[j];
    at[i] = tt_div(&b, loc, k->axes.unit, tt_index(&b, loc, before));
    if (after > 1) at[i] = tt_rem(&b, loc, at[i], tt_index(&b, loc, cut->cells[i]));
    if (cut->cells[i] == 1) at[i] = tt_index(&b, loc, 0);
    else if (!tt_value_eq(at[i], k->axes.unit)) tt_name_hint(tt_defining_op(at[i]), names[i]);
  }
}

static TtOps users_of(const Kernel *k, MlirValue value) {
  TtOps users = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    tt_ops_add(k->arena, &users, mlirOpOperandGetOwner(use));
  return users;
}

static void replace_in(TtOps users, MlirValue old, MlirValue with) {
  for (intptr_t i = 0; i < users.n; ++i)
    for (intptr_t o = 0; o < mlirOperationGetNumOperands(users.data[i]); ++o)
      if (tt_value_eq(mlirOperationGetOperand(users.data[i], o), old))
        mlirOperationSetOperand(users.data[i], o, with);
}

static void set_coordinates(const Kernel *k, const Cut *cut) {
  TtOps users = users_of(k, k->axes.unit); /* of a number that was a place */
  MlirValue at[3];
  make_coordinates(k, cut, at);
  for (int i = 0; i < 3; ++i) {
    MlirValue old = k->axes.axes[i].at;
    if (k->axes.axes[i].uncut && cut->cells[i] > 1)
      set_starts(&k->axes.axes[i], at[i], cut->tiles[i]);
    if (tt_is_null_value(old) || tt_value_eq(old, at[i])) continue;
    if (tt_value_eq(old, k->axes.unit)) replace_in(users, old, at[i]);
    else mlirValueReplaceAllUsesOfWith(old, at[i]);
  }
}

/* The first tile of DST, after that of a product's result, which other ops name; a result that grew
 * would reach it. INT64_MAX where they name none. */
static int64_t tiles_of_result(const Kernel *k) {
  TtOps ops = tt_collect(k->arena, k->func, NULL);
  int64_t first = INT64_MAX;
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtAct does = tt_op_info(ops.data[i])->does;
    if (tt_mm_mma_isa(ops.data[i]) || (does != TT_ACT_COMPUTE && does != TT_ACT_PACK_BLOCK))
      continue;
    int64_t dst = tt_op_dst(ops.data[i]);
    if (dst > 0 && dst < first) first = dst;
  }
  return first;
}

typedef enum Fit { FITS_NOT, FITS, HAS_ROOM } Fit;

/* Whether L1 holds the blocks as they are set, and whether with room for steps of LONG_STEP tiles
 * of K, with which the packer may add up: a kernel without may take half as long again. */
static Fit fit_of(const Kernel *k, const Cut *cut, bool *ok) {
  TtDfg dfg;
  *ok = tt_analyze_dfg(k->arena, k->func, &dfg);
  int64_t left = *ok ? tt_l1_left(&dfg) : -1,
          room = (LONG_STEP - 1) * TT_DEFAULT_DEPTH * tt_cut_bytes(&k->steps, cut->tiles);
  if (left < 0 || tt_cut_result(&k->steps, cut->tiles) > k->result_tiles) return FITS_NOT;
  return k->multiplies && left < room ? FITS : HAS_ROOM;
}

/* What a kernel takes without that room: 16 x 8 tiles a core took 1.7 times 8 x 8 twice. */
static const double CRAMPED = 1.5;

static double cost_of(const Cut *cut, Fit fit) {
  return fit == HAS_ROOM ? cut->cost : CRAMPED * cut->cost;
}

static Cut cut_as_written(const Kernel *k) {
  Cut cut = {.around = 0};
  for (int i = 0; i < 3; ++i)
    cut.tiles[i] = k->axes.axes[i].tiles, cut.cells[i] = k->axes.axes[i].cells;
  return measured(k, cut);
}

static void say_why_not(const Kernel *k) {
  for (int i = 0; i < 3; ++i)
    if (k->axes.axes[i].cells > 1 && k->axes.axes[i].reason)
      tt_remark(k->func, TT_REMARK_MISSED, pass, "units stay as long as they are along %c: %s",
                "xyz"[i], k->axes.axes[i].reason);
}

static void say(const Kernel *k, const Cut *old, const Cut *cut) {
  tt_remark(k->func, TT_REMARK_PASSED, pass, "%jd units are made %jd: %s %.0f, not %.0f",
            (intmax_t)(old->cells[0] * old->cells[1] * old->cells[2]),
            (intmax_t)(cut->cells[0] * cut->cells[1] * cut->cells[2]),
            k->multiplies ? "clk of a step of all of them are about"
                          : "tiles of the busiest core are",
            cut->cost, old->cost);
}

/* The best cut that fits so well, and gains by it; its blocks are set then, else those of `old`. */
static bool set_best(const Kernel *k, const Cut *old, double cost, Fit least, Cut *cut, bool *ok) {
  Cut above;
  for (bool any = find_cut(k, old, NULL, cut); any;
       above = *cut, any = find_cut(k, old, &above, cut)) {
    if (cost_of(cut, least) * LEAST_GAIN >= cost * (LEAST_GAIN - 1)) return false;
    set_blocks(k, cut);
    if (fit_of(k, cut, ok) >= least) return true;
    set_blocks(k, old);
    if (!*ok) return false;
  }
  return false;
}

/* Where ops go on with a result in DST, it is packed, to have more tiles than one. */
static bool read_steps(Kernel *k, TtOps *added) {
  k->result_tiles = tiles_of_result(k);
  if (k->result_tiles < INT64_MAX && tt_pack_results(k->arena, k->func, added)) {
    k->result_tiles = INT64_MAX;
    if (!tt_find_block_axes(k->arena, k->func, &k->axes)) return false;
  } else if (k->result_tiles == INT64_MAX && tt_has_results_in_dst(k->arena, k->func)) {
    k->result_tiles = tt_dst_capacity(k->func);
  }
  k->steps = tt_cut_steps(k->arena, k->func, &k->axes);
  if (added->n > 0) k->after = tt_cut_after_clk(k->arena, &k->steps);
  return true;
}

static bool fit_units(TtArena *arena, MlirOperation func) {
  Kernel k = {.arena = arena,
              .func = func,
              .target = tt_target_of(func),
              .multiplies = tt_collect(arena, func, "tt.mm.mma").n > 0};
  bool global = tt_str_eq(tt_string(tt_get_attr(func, "tt.partition_mode")), "global"), ok = true;
  if (!global || tt_follows_shards(arena, func) || !tt_find_block_axes(arena, func, &k.axes))
    return true;
  if (tt_is_null_value(k.axes.unit) && !tt_can_number_unit(arena, func)) return true;
  TtOps added = {0};
  if (!read_steps(&k, &added)) return false;
  Cut old = cut_as_written(&k), cut;
  double cost = cost_of(&old, fit_of(&k, &old, &ok));
  if (ok && !set_best(&k, &old, cost, HAS_ROOM, &cut, &ok) &&
      (!ok || !set_best(&k, &old, cost, FITS, &cut, &ok))) {
    say_why_not(&k);
    tt_forget_results(&added);
    return ok;
  }
  if (!ok) return false;
  if (tt_is_null_value(k.axes.unit)) k.axes.unit = tt_number_unit(arena, func);
  set_partial(&k, &cut);
  set_coordinates(&k, &cut);
  tt_set_units(arena, func, cut.cells);
  tt_erase_dead(func);
  say(&k, &old, &cut);
  return true;
}

bool tt_run_fit_units(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, fit_units);
}
