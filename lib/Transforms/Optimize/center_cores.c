/*===- center_cores.c - --tt-center-cores -------------------------------------------------------===
 *
 * Moves a program as a whole to other cores, where the links between them and DRAM carry more.
 *
 *   before  tt.core_set @all [(0, 0) - (7, 7)]
 *           tt.core_args (%x, %y) -> ["start_id", "next_x"] {
 *             %start = %y * 8 + %x
 *             %next_x, %next_y = tt.worker_core (%x + 1), %y }
 *   after   tt.core_set @all [(3, 0) - (10, 7)]
 *           tt.core_args (%x, %y) -> ["start_id", "next_x"] {
 *             %start = %y * 8 + (%x - 3)
 *             %next_x, %next_y = tt.worker_core (%x - 3 + 1 + 3), %y }
 *
 * What comes from a bank goes along the row of the NoC that the bank is at, and then down the
 * column of the core. Blackhole has two banks in such a row, half of the chip apart: where all
 * cores are on one side, what the far one sends goes all the way around and shares the links of
 * the near one, 60 B/clk for two that give 80. Cores on both sides take half from each way. The
 * place is the one at which tensors in DRAM, each moved once, take least, on the NoCs of the
 * kernels that read and write them; all stays where that saves less than a tenth of it, or than the
 * latency of a read.
 *
 * Legal where no tensor lies in L1 of cores that are named, and no sizes are open: cores know of
 * each other only what tt.core_args gives them. Changes no result.
 *
 * Requires D3, after all passes that give cores something, before stage E.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Analysis/sharing.h"
#include "Analysis/timing.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"

static const char *const pass = "tt-center-cores";

enum { LEAST_GAIN = 10, NOCS = 2, WAYS = 2 };

/* What a program moves, in bytes, on each NoC, from DRAM and to it; and where it is. */
typedef struct Places {
  TtArena *arena;
  MlirOperation program;
  TtTarget target;
  TtCoreTable cores;
  int64_t width, height; /* of the cores, which begin at (0, 0) */
  double bytes[NOCS][WAYS];
} Places;

/*===- What moves ----------------------------------------------------------------------------===*/

static double bytes_of(MlirType tensor) {
  double bytes = (double)tt_element_bytes(mlirShapedTypeGetElementType(tensor));
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(tensor); ++i)
    bytes *= (double)mlirShapedTypeGetDimSize(tensor, i);
  return bytes;
}

/* Adds a tensor for each way that its kernel moves it. False where it lies on cores by name. */
static bool add_tensor(Places *p, MlirOperation kernel, MlirOperation accessor) {
  char *name = tt_arena_str(p->arena, tt_string(metalium_tensor_accessor_name(accessor)));
  MlirAttribute buffer = tt_named_attr(p->program, "buffer", name);
  if (tt_is_l1_sharded(buffer)) return false;
  if (!tt_buffer_attr_isa(buffer) || tt_buffer_attr_memory(buffer) != TT_MEMORY_DRAM) return true;
  bool moved[WAYS] = {false, false};
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(accessor, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    TtAct does = tt_op_info(mlirOpOperandGetOwner(use))->does;
    moved[does == TT_ACT_WRITE] |= does == TT_ACT_READ || does == TT_ACT_WRITE;
  }
  for (int way = 0; way < WAYS; ++way)
    if (moved[way])
      p->bytes[tt_kernel_noc_of(kernel)][way] +=
          bytes_of(mlirValueGetType(metalium_tensor_accessor_tensor(accessor)));
  return true;
}

static bool find_bytes(Places *p) {
  TtOps kernels = tt_program_kernels(p->arena, p->program);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps accessors = tt_collect(p->arena, kernels.data[k], "metalium.tensor_accessor");
    for (intptr_t i = 0; i < accessors.n; ++i)
      if (!add_tensor(p, kernels.data[k], accessors.data[i])) return false;
  }
  return true;
}

/* Whether the cores begin at the first one and leave some free beside or below them. */
static bool find_room(Places *p) {
  int64_t x = INT64_MAX, y = INT64_MAX;
  for (int64_t i = 0; i < p->cores.n; ++i) {
    const TtCore *c = &p->cores.cores[i];
    if (c->x < x) x = c->x;
    if (c->y < y) y = c->y;
    if (c->x >= p->width) p->width = c->x + 1;
    if (c->y >= p->height) p->height = c->y + 1;
  }
  return x == 0 && y == 0 &&
         (p->width < (int64_t)p->target.grid_x || p->height < (int64_t)p->target.grid_y);
}

/*===- The best place ------------------------------------------------------------------------===*/

static double clk_at(const Places *p, TtCore first) {
  const TtChip *chip = p->target.chip;
  double dram = (double)(chip->bank_bytes_per_clk * chip->dram_banks), clk = 0;
  TtCore *moved = tt_arena_alloc(p->arena, (size_t)p->cores.n * sizeof *moved);
  TtCoreTable table = p->cores;
  table.cores = moved;
  for (int64_t i = 0; i < table.n; ++i)
    moved[i] = (TtCore){p->cores.cores[i].x + first.x, p->cores.cores[i].y + first.y};
  for (int noc = 0; noc < NOCS; ++noc)
    for (int way = 0; way < WAYS; ++way) {
      if (p->bytes[noc][way] == 0) continue;
      double links = tt_link_rate(chip, &table, noc, way);
      clk += p->bytes[noc][way] / (links < dram ? links : dram);
    }
  return clk;
}

static TtCore find_place(const Places *p, double *before, double *after) {
  TtCore best = {0, 0};
  *before = *after = clk_at(p, best);
  for (int64_t y = 0; y + p->height <= (int64_t)p->target.grid_y; ++y)
    for (int64_t x = 0; x + p->width <= (int64_t)p->target.grid_x; ++x) {
      double clk = clk_at(p, (TtCore){x, y});
      if (clk < *after) best = (TtCore){x, y}, *after = clk;
    }
  return best;
}

/*===- The program there ---------------------------------------------------------------------===*/

static MlirAttribute ranges_at(TtArena *arena, MlirContext context, MlirAttribute ranges,
                               TtCore by) {
  intptr_t n = mlirArrayAttrGetNumElements(ranges);
  MlirAttribute *all = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *all);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    int64_t first[2] = {tt_core_range_attr_start(r, 0) + by.x,
                        tt_core_range_attr_start(r, 1) + by.y},
            last[2] = {tt_core_range_attr_end(r, 0) + by.x, tt_core_range_attr_end(r, 1) + by.y};
    all[i] = tt_core_range_attr_get(context, 2, first, 2, last);
  }
  return mlirArrayAttrGet(context, n, all);
}

static MlirAttribute work_at(TtArena *arena, MlirContext context, MlirAttribute work, TtCore by) {
  intptr_t n = mlirArrayAttrGetNumElements(work);
  MlirAttribute *all = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *all);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(work, i);
    int64_t at[2] = {tt_work_attr_core(w, 0) + by.x, tt_work_attr_core(w, 1) + by.y};
    all[i] = tt_work_attr_get(context, 2, at, tt_work_attr_start_id(w), tt_work_attr_count(w));
  }
  return mlirArrayAttrGet(context, n, all);
}

static void move_metadata(const Places *p, TtCore by) {
  MlirContext context = mlirOperationGetContext(p->program);
  TtOps sets = tt_collect(p->arena, p->program, "tt.core_set");
  for (intptr_t i = 0; i < sets.n; ++i)
    mlirOperationSetInherentAttributeByName(
        sets.data[i], tt_str("ranges"),
        ranges_at(p->arena, context, tt_core_set_ranges(sets.data[i]), by));
  MlirAttribute ranges = tt_get_attr(p->program, "tt.core_ranges"),
                work = tt_get_attr(p->program, "tt.work_partition");
  int64_t sides[2] = {p->width + by.x, p->height + by.y};
  tt_set_attr(p->program, "tt.core_ranges", ranges_at(p->arena, context, ranges, by));
  tt_set_attr(p->program, "tt.work_partition", work_at(p->arena, context, work, by));
  tt_set_attr(p->program, "tt.core_grid", mlirDenseI64ArrayGet(context, 2, sides));
}

/* The core that was at `at`, a coordinate: `at` + by, which is the argument itself where `at` is
 * what replaces it. */
static MlirValue moved_by(TtBuilder *b, MlirLocation loc, MlirValue at, int64_t by, MlirValue own,
                          MlirValue arg) {
  return tt_value_eq(at, own) ? arg : tt_add(b, loc, at, tt_index(b, loc, by));
}

/* Formulas go on with coordinates that begin at zero; cores that they name are where they are. */
static void move_args(const Places *p, TtCore by) {
  MlirOperation op = tt_program_core_args(p->program);
  MlirLocation loc = mlirOperationGetLocation(op);
  TtOps named = tt_collect(p->arena, op, "tt.worker_core");
  const int64_t sides[2] = {by.x, by.y};
  for (int i = 0; i < 2; ++i) {
    if (sides[i] == 0) continue;
    TtBuilder b = tt_builder_before(mlirBlockGetFirstOperation(tt_body(op)));
    MlirValue arg = mlirBlockGetArgument(tt_body(op), i),
              own = tt_sub(&b, loc, arg, tt_index(&b, loc, sides[i]));
    mlirValueReplaceAllUsesExcept(arg, own, 1, (MlirOperation[]){tt_defining_op(own)});
    tt_name_hint(tt_defining_op(own), i ? "row" : "column");
    for (intptr_t n = 0; n < named.n; ++n) {
      TtBuilder here = tt_builder_before(named.data[n]);
      mlirOperationSetOperand(
          named.data[n], i,
          moved_by(&here, loc, mlirOperationGetOperand(named.data[n], i), sides[i], own, arg));
    }
  }
}

static bool center_cores(TtArena *arena, MlirOperation program) {
  Places p = {.arena = arena, .program = program, .target = tt_target_of(program)};
  double before, after;
  if (!tt_str_eq(tt_string(tt_get_attr(program, "tt.partition_mode")), "global") ||
      !tt_program_cores(arena, program, &p.cores) || !find_room(&p) || !find_bytes(&p))
    return true;
  TtCore first = find_place(&p, &before, &after);
  if (after * LEAST_GAIN > before * (LEAST_GAIN - 1) ||
      before - after < p.target.chip->read_latency[TT_READ_OTHER]) {
    tt_remark(program, TT_REMARK_MISSED, pass,
              "cores stay: links to DRAM take %.0f clk, and %.0f at the best place", before, after);
    return true;
  }
  tt_remark(program, TT_REMARK_PASSED, pass,
            "cores from (%jd, %jd) on: links to DRAM take %.0f clk there, not %.0f",
            (intmax_t)first.x, (intmax_t)first.y, after, before);
  move_metadata(&p, first);
  move_args(&p, first);
  return true;
}

bool tt_run_center_cores(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, center_cores);
}
