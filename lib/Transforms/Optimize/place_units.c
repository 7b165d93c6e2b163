/*===- place_units.c - --tt-place-units ---------------------------------------------------------===
 *
 * Gives the units of a kernel to a rectangle of cores, so that those that read the same blocks
 * stand in a line.
 *
 *   before  grid of 6 x 6 units on 8 x 8 cores: unit 6, the first of the second row, is core (6,
 * 0)'s after   tt.core_ranges = [(0, 0) - (5, 5)], tt.core_grid = [6, 6], tt.work_partition = [(0,
 * 0): 0, 1; …; (5, 0): 5, 1; (0, 1): 6, 1; …]
 *
 * A row of cores has a row of the grid (of each matrix of a batch), a core as many units of it as
 * the fullest core had before. Where there are more rows of the grid than of cores, and they are
 * short, the next ones stand beside the first; a row that is longer than one of cores is folded.
 * Done where the blocks that the cores read take a twentieth less time then, as the cost model of
 * Analysis/sharing.c has it; where rows of the grid do not divide so, the plain order stays.
 * Results do not depend on who has a unit. Cores that gather from each other (--tt-split-rows)
 * stand as they have to, and stay.
 *
 * Requires level 2 with units of work (B1), before D1. Leaves what stage B says of them, anew.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Analysis/shards.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/unit_rectangle.h"

static const char *const pass = "tt-place-units";

/* A rectangle has fewer columns of links than the plain order, which goes over all: for less than a
 * twentieth that costs more than it gains. */
enum { LEAST_GAIN = 20 };

/* The rectangle that the grid fills without more units on a core than now; false where none. */
static bool find_rectangle(MlirOperation func, const TtCoreTable *cores, TtUnitRectangle *r) {
  MlirAttribute grid = tt_get_attr(func, "tt.grid");
  if (mlirAttributeIsNull(grid)) return false;
  int64_t cells[3], most = 0;
  for (int i = 0; i < 3; ++i) cells[i] = mlirDenseI64ArrayGetElement(grid, i);
  for (int64_t c = 0; c < cores->n; ++c) {
    int64_t count = cores->values[c * cores->num_names + 1];
    if (count > most) most = count;
  }
  return tt_unit_rectangle(cells, most, tt_target_of(func), r);
}

static TtCoreTable cores_of(TtArena *arena, const TtCoreTable *old, TtUnitRectangle r) {
  TtCoreTable table = *old;
  table.n = r.across * r.down * r.beside;
  TtCore *cores = tt_arena_alloc(arena, (size_t)(table.n + 1) * sizeof *cores);
  table.values = tt_arena_alloc(arena, (size_t)(2 * table.n + 1) * sizeof *table.values);
  for (int64_t i = 0; i < table.n; ++i) {
    int64_t row = i / r.across;
    cores[i] = (TtCore){row / r.down * r.across + i % r.across, row % r.down};
    table.values[2 * i] = i * r.each, table.values[2 * i + 1] = r.each;
  }
  table.cores = cores;
  return table;
}

static bool are_same(const TtCoreTable *a, const TtCoreTable *b) {
  for (int64_t i = 0; a->n == b->n && i < a->n; ++i)
    if (a->cores[i].x != b->cores[i].x || a->cores[i].y != b->cores[i].y ||
        a->values[2 * i] != b->values[2 * i])
      return false;
  return a->n == b->n;
}

/* What the blocks of all reads take in clk. */
static double clk_of(TtDfg *dfg, const TtCoreTable *cores, TtOps reads) {
  const TtChip *chip = tt_target_of(dfg->func).chip;
  double clk = 0;
  for (intptr_t i = 0; i < reads.n; ++i) {
    const TtCB *cb = tt_dfg_cb(dfg, tt_read_to_cb_cb(reads.data[i]));
    if (!cb) continue;
    TtSharing s = tt_find_sharing(dfg->arena, cores, reads.data[i]);
    bool shares = !s.reason && !(cb->tensor && cb->tensor->written);
    if (!shares) s = (TtSharing){.width = 1, .height = 1, .cores = cores->cores, .n = cores->n};
    TtSharingCost cost =
        tt_sharing_cost(chip, &s, tt_cb_tiles(cb->type), tt_cb_page_bytes(dfg, cb));
    clk += shares && tt_sharing_pays(cost) ? cost.shared : cost.plain;
  }
  return clk;
}

static void place(MlirOperation func, const TtCoreTable *cores, TtUnitRectangle r) {
  MlirContext context = mlirOperationGetContext(func);
  TtArena *arena = tt_arena_create();
  MlirAttribute *work = tt_arena_alloc(arena, (size_t)(cores->n + 1) * sizeof *work);
  for (int64_t i = 0; i < cores->n; ++i) {
    int64_t at[2] = {cores->cores[i].x, cores->cores[i].y};
    work[i] = tt_work_attr_get(context, 2, at, cores->values[2 * i], cores->values[2 * i + 1]);
  }
  int64_t width = r.across * r.beside, first[2] = {0, 0}, last[2] = {width - 1, r.down - 1},
          sides[2] = {width, r.down};
  MlirAttribute range = tt_core_range_attr_get(context, 2, first, 2, last);
  tt_set_attr(func, "tt.work_partition", mlirArrayAttrGet(context, cores->n, work));
  tt_set_attr(func, "tt.core_ranges", mlirArrayAttrGet(context, 1, &range));
  tt_set_attr(func, "tt.core_grid", mlirDenseI64ArrayGet(context, 2, sides));
  tt_arena_destroy(arena);
}

static bool place_units(TtArena *arena, MlirOperation func) {
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  TtCoreTable old;
  TtUnitRectangle r;
  TtDfg dfg;
  if (!tt_unit_cores(arena, func, &old) || tt_follows_shards(arena, func)) return true;
  if (tt_collect(arena, func, "tt.gather_parts").n > 0) {
    tt_remark(func, TT_REMARK_MISSED, pass,
              "units stay where they are: cores that have a row together stand side by side");
    return true;
  }
  if (!find_rectangle(func, &old, &r)) {
    tt_remark(func, TT_REMARK_MISSED, pass,
              "units stay where they are: no rectangle of the cores has as few of them each");
    return true;
  }
  TtCoreTable cores = cores_of(arena, &old, r);
  if (are_same(&cores, &old)) return true;
  if (!tt_analyze_dfg(arena, func, &dfg)) return false;
  double before = clk_of(&dfg, &old, reads), after = clk_of(&dfg, &cores, reads);
  if (after * LEAST_GAIN > before * (LEAST_GAIN - 1)) {
    tt_remark(
        func, TT_REMARK_MISSED, pass,
        "units stay where they are: a block of each operand would take about %.0f clk, not %.0f",
        after, before);
    return true;
  }
  tt_remark(func, TT_REMARK_PASSED, pass,
            "units are on %jd x %jd cores: a block of each operand takes about %.0f clk, not %.0f",
            (intmax_t)(r.across * r.beside), (intmax_t)r.down, after, before);
  place(func, &cores, r);
  return true;
}

bool tt_run_place_units(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, place_units);
}
