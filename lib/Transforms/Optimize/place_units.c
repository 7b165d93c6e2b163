/*===- place_units.c - --tt-place-units ---------------------------------------------------------===
 *
 * Gives the units of a kernel to a rectangle of cores, so that those that read the same blocks
 * stand in a line.
 *
 *   grid of 6 x 6 units on 8 x 8 cores
 *   before  core (6, 0) has unit 6, the first one of the second row
 *   after   tt.core_ranges = [(0, 0) - (5, 5)], tt.core_grid = [6, 6],
 *           tt.work_partition = [(0, 0): 0, 1   …   (5, 0): 5, 1   (0, 1): 6, 1   …]
 *
 * A row of cores has a row of the grid (of each matrix of a batch), a core as many units of it as
 * the fullest core had before. Where there are more rows of the grid than of cores, and they are
 * short, the next ones stand beside the first; a row that is longer than one of cores is folded.
 * Where no rectangle has room for all, each row has a box of cores, or one and a part of another
 * (unit_boxes.c): 16 rows of 8 on 13 x 10 cores are 15 boxes of 4 x 2 and one of 1 x 8.
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
#include "Transforms/Optimize/unit_boxes.h"
#include "Transforms/Optimize/unit_rectangle.h"

static const char *const pass = "tt-place-units";

/* A rectangle has fewer columns of links than the plain order, which goes over all: for less than a
 * twentieth that costs more than it gains. */
enum { LEAST_GAIN = 20 };

/* Where units go: row by row of a rectangle, or line by line in boxes. */
typedef struct Places {
  bool in_boxes;
  TtUnitRectangle rectangle;
  TtUnitBoxes boxes;
  int64_t each; /* units of a core */
} Places;

enum { MOST_PLACES = 8 };

/* Places for all units without more of them on a core than now; how many ways there are. Cores of a
 * line that read the same may be fewer than all of them, as where their loops end together: boxes
 * of lines, of their halves, thirds, and so on. */
static int find_places(MlirOperation func, const TtCoreTable *cores, Places all[MOST_PLACES]) {
  MlirAttribute grid = tt_get_attr(func, "tt.grid");
  TtTarget target = tt_target_of(func);
  if (mlirAttributeIsNull(grid)) return 0;
  int64_t cells[3], most = 0;
  int64_t units = 1, dealt = 0;
  for (int i = 0; i < 3; ++i) {
    cells[i] = mlirDenseI64ArrayGetElement(grid, i);
    if (cells[i] < 1 || __builtin_mul_overflow(units, cells[i], &units)) return 0;
  }
  for (int64_t c = 0; c < cores->n; ++c) {
    int64_t count = cores->values[c * cores->num_names + 1];
    if (count > most) most = count;
    dealt += count;
  }
  if (dealt != units) return 0; /* by hand, and wrong: --tt-verify-ir says so */
  all[0] = (Places){.each = most};
  if (tt_unit_rectangle(cells, most, target, &all[0].rectangle)) return 1;
  if (most == 0 || cells[0] % most != 0) return 0;
  int n = 0;
  int64_t lines = cells[1] * cells[2], of_line = cells[0] / most;
  for (int64_t parts = 1; n < MOST_PLACES && parts < of_line; ++parts) {
    all[n] = (Places){.each = most, .in_boxes = true};
    if (of_line % parts == 0 &&
        tt_find_unit_boxes(lines * parts, of_line / parts, target, &all[n].boxes))
      ++n;
  }
  return n;
}

static TtCore core_at(const Places *p, int64_t i) {
  const TtUnitRectangle *r = &p->rectangle;
  if (p->in_boxes) return tt_core_of_line(&p->boxes, i / p->boxes.cores, i % p->boxes.cores);
  int64_t row = i / r->across;
  return (TtCore){row / r->down * r->across + i % r->across, row % r->down};
}

static TtCoreTable cores_of(TtArena *arena, const TtCoreTable *old, const Places *p) {
  TtCoreTable table = *old;
  const TtUnitRectangle *r = &p->rectangle;
  table.n = p->in_boxes ? p->boxes.lines * p->boxes.cores : r->across * r->down * r->beside;
  TtCore *cores = tt_arena_alloc(arena, (size_t)(table.n + 1) * sizeof *cores);
  table.values = tt_arena_alloc(arena, (size_t)(2 * table.n + 1) * sizeof *table.values);
  for (int64_t i = 0; i < table.n; ++i) {
    cores[i] = core_at(p, i);
    table.values[2 * i] = i * p->each, table.values[2 * i + 1] = p->each;
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
    if (!shares) s = tt_without_sharing(cores);
    TtSharingCost cost =
        tt_sharing_cost(chip, &s, tt_cb_tiles(cb->type), tt_cb_page_bytes(dfg, cb));
    clk += shares && tt_sharing_pays(cost) ? cost.shared : cost.plain;
  }
  return clk;
}

static MlirAttribute range_of(MlirContext context, TtCore first, int64_t width, int64_t height) {
  int64_t from[2] = {first.x, first.y}, to[2] = {first.x + width - 1, first.y + height - 1};
  return tt_core_range_attr_get(context, 2, from, 2, to);
}

/* Whole lines of boxes, and what is left of the last one. */
static int area_ranges(MlirContext context, const TtUnitArea *a, MlirAttribute *ranges) {
  int64_t lines = a->boxes / a->across, rest = a->boxes % a->across;
  int n = 0;
  TtCore last = {a->first.x, a->first.y + lines * a->height};
  if (lines > 0) ranges[n++] = range_of(context, a->first, a->across * a->width, lines * a->height);
  if (rest > 0) ranges[n++] = range_of(context, last, rest * a->width, a->height);
  return n;
}

static MlirAttribute ranges_of(MlirContext context, const Places *p) {
  const TtUnitRectangle *r = &p->rectangle;
  MlirAttribute ranges[4];
  int n = 0;
  if (!p->in_boxes) ranges[n++] = range_of(context, (TtCore){0, 0}, r->across * r->beside, r->down);
  for (int i = 0; i < 2 && p->in_boxes; ++i)
    n += area_ranges(context, &p->boxes.areas[i], ranges + n);
  return mlirArrayAttrGet(context, n, ranges);
}

static void find_sides(const TtCoreTable *cores, int64_t sides[2]) {
  sides[0] = sides[1] = 0;
  for (int64_t i = 0; i < cores->n; ++i) {
    if (cores->cores[i].x >= sides[0]) sides[0] = cores->cores[i].x + 1;
    if (cores->cores[i].y >= sides[1]) sides[1] = cores->cores[i].y + 1;
  }
}

static void place(MlirOperation func, const TtCoreTable *cores, const Places *p) {
  MlirContext context = mlirOperationGetContext(func);
  TtArena *arena = tt_arena_create();
  MlirAttribute *work = tt_arena_alloc(arena, (size_t)(cores->n + 1) * sizeof *work);
  int64_t sides[2];
  for (int64_t i = 0; i < cores->n; ++i) {
    int64_t at[2] = {cores->cores[i].x, cores->cores[i].y};
    work[i] = tt_work_attr_get(context, 2, at, cores->values[2 * i], cores->values[2 * i + 1]);
  }
  find_sides(cores, sides);
  tt_set_attr(func, "tt.work_partition", mlirArrayAttrGet(context, cores->n, work));
  tt_set_attr(func, "tt.core_ranges", ranges_of(context, p));
  tt_set_attr(func, "tt.core_grid", mlirDenseI64ArrayGet(context, 2, sides));
  tt_arena_destroy(arena);
}

/* "6 x 6 cores"; "boxes of 4 x 2 cores, and of 1 x 8". */
static const char *words_of(TtArena *arena, const Places *p) {
  const TtUnitRectangle *r = &p->rectangle;
  const TtUnitArea *a = p->boxes.areas;
  if (!p->in_boxes)
    return tt_arena_printf(arena, "%jd x %jd cores", (intmax_t)(r->across * r->beside),
                           (intmax_t)r->down);
  if (a[0].width == a[1].width && a[0].height == a[1].height)
    return tt_arena_printf(arena, "boxes of %jd x %jd cores", (intmax_t)a[0].width,
                           (intmax_t)a[0].height);
  return tt_arena_printf(arena, "boxes of %jd x %jd cores, and of %jd x %jd", (intmax_t)a[0].width,
                         (intmax_t)a[0].height, (intmax_t)a[1].width, (intmax_t)a[1].height);
}

static bool place_units(TtArena *arena, MlirOperation func) {
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  TtCoreTable old;
  Places places[MOST_PLACES];
  TtCoreTable cores[MOST_PLACES];
  TtDfg dfg;
  if (!tt_unit_cores(arena, func, &old) || tt_follows_shards(arena, func)) return true;
  if (tt_collect(arena, func, "tt.gather_parts").n > 0) {
    tt_remark(func, TT_REMARK_MISSED, pass,
              "units stay where they are: cores that have a row together stand side by side");
    return true;
  }
  int n = find_places(func, &old, places), best = 0;
  if (n == 0) {
    tt_remark(func, TT_REMARK_MISSED, pass,
              "units stay where they are: no rectangles of the cores have as few of them each");
    return true;
  }
  for (int i = 0; i < n; ++i) cores[i] = cores_of(arena, &old, &places[i]);
  if (are_same(&cores[0], &old)) return true;
  if (!tt_analyze_dfg(arena, func, &dfg)) return false;
  double before = clk_of(&dfg, &old, reads), after = clk_of(&dfg, &cores[0], reads);
  for (int i = 1; i < n; ++i) {
    double clk = clk_of(&dfg, &cores[i], reads);
    if (clk < after) best = i, after = clk;
  }
  if (after * LEAST_GAIN > before * (LEAST_GAIN - 1)) {
    tt_remark(
        func, TT_REMARK_MISSED, pass,
        "units stay where they are: a block of each operand would take about %.0f clk, not %.0f",
        after, before);
    return true;
  }
  tt_remark(func, TT_REMARK_PASSED, pass,
            "units are on %s: a block of each operand takes about %.0f clk, not %.0f",
            words_of(arena, &places[best]), after, before);
  place(func, &cores[best], &places[best]);
  return true;
}

bool tt_run_place_units(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, place_units);
}
