/*===- layout_aware_work_partition.c - B1: --tt-layout-aware-work-partition ----------===
 *
 * Gives every core its units of work. A unit is a cell of the grid; cells are
 * numbered row by row, and a core gets a contiguous range of them.
 *
 *   before  scf.forall (%by, %bx) in (8, 8) { … }   on an 8x8 target
 *   after   attributes tt.partition_mode = "global", tt.grid = array<i64: 8, 8, 1>,
 *             tt.grid_tiles = array<i64: 32, 32>, tt.core_grid = array<i64: 8, 8>,
 *             tt.core_ranges = [#tt.core_range<start = [0, 0], end = [7, 7]>],
 *             tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, …],
 *             tt.runtime_args = ["start_id", "count", "Mt", "Kt", "Nt"]
 *
 * In mode local_shard, which the kernel asks for, a core has the units of its own shard:
 *
 *   after   attributes tt.partition_mode = "local_shard", tt.shard_grid = array<i64: Gy, Gx>,
 *             tt.local_shape_tiles = array<i64: rows, columns of a shard>, and in
 *             tt.work_partition start_id = 0 and the units of a shard for each core
 *
 * Order match_shard in mode global gives cores the units of their own shards, too, shard by
 * shard where the tensor is in DRAM.
 *
 * A grid whose extents depend on the sizes of tensors has tt.grid = 0 there, and
 *
 *   after   tt.grid_map = affine_map<(d0, d1) -> (d1 ceildiv 64, d0 ceildiv 64, 1)>,
 *             tt.grid_symbols = ["C_d0", "C_d1"], tt.work_partition = []
 *
 * Requires tt.buffer.* (A1). Leaves what is shown, and tt.runtime_arg for memref.dim of
 * arguments.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Dialect/op_info.h"
#include "Dialect/refused.h"
#include "Passes/passes_decl.h"
#include "Transforms/Partition/partition.h"

/* Of tt_runtime_arg_names: what each mode has. */
enum { GLOBAL_NAMES = 5, LOCAL_NAMES = 11 };

/*===- Kt: the length of the contraction, in tiles ---------------------------===*/

/* Columns of the tensor that fills `buffer`, 0 where none does. */
static int64_t columns_of_source(TtArgs args, MlirValue buffer) {
  TtArg *arg = tt_arg_of(args, buffer);
  if (!arg) {
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use) && !arg;
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      bool copies = (tt_op_is(op, "memref.copy") || tt_op_is(op, "linalg.copy")) &&
                    mlirOpOperandGetOperandNumber(use) == 1;
      TtMove move;
      if (copies) arg = tt_arg_of(args, mlirOperationGetOperand(op, 0));
      else if (tt_move_of(op, &move) && move.in) arg = tt_arg_of(args, move.tensor);
    }
  }
  if (!arg || !arg->is_tensor || mlirShapedTypeGetRank(arg->type) < 2) return 0;
  int64_t columns = mlirShapedTypeGetDimSize(arg->type, mlirShapedTypeGetRank(arg->type) - 1);
  return columns < 0 ? 0 : columns;
}

static int64_t contraction_tiles(TtArena *arena, MlirOperation func, TtArgs args) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (!tt_is_contraction(ops.data[i]) && !tt_mm_mma_isa(ops.data[i])) continue;
    MlirValue a = tt_view_root(mlirOperationGetOperand(ops.data[i], 0));
    int64_t columns = columns_of_source(args, a);
    if (columns > 0) return tt_tiles(columns);
  }
  return 1;
}

/*===- Cores ----------------------------------------------------------------===*/

/* Of so many groups of `parts` cores one below the other, in rows of `width`. */
static MlirAttribute core_ranges(MlirContext context, int64_t groups, int64_t parts,
                                 int64_t width) {
  MlirAttribute ranges[2];
  intptr_t n = 0;
  int64_t rows = groups / width * parts, rest = groups % width;
  if (rows > 0)
    ranges[n++] =
        tt_core_range_attr_get(context, 2, (int64_t[]){0, 0}, 2, (int64_t[]){width - 1, rows - 1});
  if (rest > 0)
    ranges[n++] = tt_core_range_attr_get(context, 2, (int64_t[]){0, rows}, 2,
                                         (int64_t[]){rest - 1, rows + parts - 1});
  return mlirArrayAttrGet(context, n, ranges);
}

/* Units of shard `i` along a side: the last one may have fewer. */
static int64_t units_of(const TtUnitSide *side, int64_t i) {
  int64_t rest = side->units - i * side->shard_units;
  return rest < side->shard_units ? rest : side->shard_units;
}

/* One core a shard, in the order of shards. In mode local_shard each numbers its own units. */
static MlirAttribute shard_partition(TtArena *arena, MlirContext context, const TtUnitOrder *o,
                                     int64_t width) {
  int64_t cores = o->m.shards * o->n.shards, start = 0;
  MlirAttribute *work = tt_arena_alloc(arena, (size_t)cores * sizeof *work);
  for (int64_t i = 0; i < cores; ++i) {
    int64_t core[2] = {i % width, i / width};
    int64_t count = units_of(&o->m, i / o->n.shards) * units_of(&o->n, i % o->n.shards) * o->outer;
    work[i] = tt_work_attr_get(context, 2, core, o->local ? 0 : start, count);
    start += count;
  }
  return mlirArrayAttrGet(context, cores, work);
}

/* Contiguous ranges; the first `units % cores` cores get one unit more. */
static MlirAttribute work_partition(TtArena *arena, MlirContext context, int64_t units,
                                    int64_t cores, int64_t width) {
  MlirAttribute *work = tt_arena_alloc(arena, (size_t)cores * sizeof *work);
  int64_t start = 0;
  for (int64_t i = 0; i < cores; ++i) {
    int64_t core[2] = {i % width, i / width}, count = units / cores + (i < units % cores);
    work[i] = tt_work_attr_get(context, 2, core, start, count);
    start += count;
  }
  return mlirArrayAttrGet(context, cores, work);
}

static void set_pair(MlirOperation func, const char *name, int64_t x, int64_t y) {
  tt_set_attr(func, name,
              mlirDenseI64ArrayGet(mlirOperationGetContext(func), 2, (int64_t[]){x, y}));
}

static void set_core_grid(MlirOperation func, int64_t groups, int64_t parts, int64_t width) {
  set_pair(func, "tt.core_grid", width, (groups + width - 1) / width * parts);
  tt_set_attr(func, "tt.core_ranges",
              core_ranges(mlirOperationGetContext(func), groups, parts, width));
}

void tt_set_units_on(TtArena *arena, MlirOperation func, const int64_t cells[3], int64_t cores,
                     int64_t width) {
  MlirContext context = mlirOperationGetContext(func);
  int64_t units = cells[0] * cells[1] * cells[2];
  tt_set_attr(func, "tt.grid", mlirDenseI64ArrayGet(context, 3, cells));
  set_core_grid(func, cores, 1, width);
  tt_set_attr(func, "tt.work_partition", work_partition(arena, context, units, cores, width));
}

void tt_set_units_down(TtArena *arena, MlirOperation func, const int64_t cells[3], int64_t parts,
                       int64_t width) {
  MlirContext context = mlirOperationGetContext(func);
  int64_t units = cells[0] * cells[1] * cells[2], groups = units / parts;
  MlirAttribute *work = tt_arena_alloc(arena, (size_t)units * sizeof *work);
  for (int64_t i = 0; i < units; ++i) {
    int64_t group = i / parts, core[2] = {group % width, group / width * parts + i % parts};
    work[i] = tt_work_attr_get(context, 2, core, i, 1);
  }
  tt_set_attr(func, "tt.grid", mlirDenseI64ArrayGet(context, 3, cells));
  set_core_grid(func, groups, parts, width);
  tt_set_attr(func, "tt.work_partition", mlirArrayAttrGet(context, units, work));
}

void tt_set_units(TtArena *arena, MlirOperation func, const int64_t cells[3]) {
  TtTarget target = tt_target_of(func);
  int64_t units = cells[0] * cells[1] * cells[2], cores = target.grid_x * target.grid_y;
  if (cores > units) cores = units;
  tt_set_units_on(arena, func, cells, cores, target.grid_x < cores ? target.grid_x : cores);
}

static void set_grid_tiles(MlirOperation func, const TtArg *output) {
  int64_t tiles[2] = {1, 1};
  intptr_t rank = output && output->is_tensor ? mlirShapedTypeGetRank(output->type) : 0;
  for (intptr_t i = 0; i < 2 && i < rank; ++i) {
    int64_t size = mlirShapedTypeGetDimSize(output->type, rank - 1 - i);
    if (size > 0) tiles[1 - i] = tt_tiles(size);
  }
  set_pair(func, "tt.grid_tiles", tiles[0], tiles[1]);
}

/* What the host program needs to count the units of each shard: how many a full one has along
 * its sides, and which grid dimensions run along them. */
static void set_dynamic_units(MlirOperation func, const TtUnitOrder *o) {
  MlirContext context = mlirOperationGetContext(func);
  const TtUnitSide *sides[2] = {&o->m, &o->n};
  int64_t along[3] = {-1, -1, -1}; /* 0: rows, 1: columns */
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < sides[i]->n; ++j) along[sides[i]->axes[j]] = i;
  set_pair(func, "tt.shard_units", o->m.shards > 1 ? o->m.shard_units : 0,
           o->n.shards > 1 ? o->n.shard_units : 0);
  tt_set_attr(func, "tt.unit_axes", mlirDenseI64ArrayGet(context, 3, along));
}

/* A grid that is known when the kernel runs only, as a map of the sizes of tensors. */
static bool set_grid_map(TtArena *arena, MlirOperation func, const TtGrid *grid) {
  TtBuilder b = tt_builder_before(grid->loop);
  MlirValue cells[3];
  const MlirValue *leaves;
  MlirAffineMap map;
  intptr_t n = 0;
  for (int axis = 0; axis < 3; ++axis) cells[axis] = tt_grid_cells(&b, grid, axis);
  bool ok = tt_index_map(arena, cells, 3, &map, &leaves, &n);
  const char **names = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *names);
  for (intptr_t i = 0; ok && i < n; ++i) {
    MlirOperation op = tt_defining_op(leaves[i]);
    ok = tt_runtime_arg_isa(op) && tt_is_dim_name(tt_string(tt_runtime_arg_name(op)));
    if (ok) names[i] = tt_arena_str(arena, tt_string(tt_runtime_arg_name(op)));
  }
  if (!ok)
    return tt_error(grid->loop,
                    "the extents of the grid are no affine expressions of sizes of tensors "
                    "(memref.dim), which the host program can compute");
  tt_set_attr(func, "tt.grid_map", mlirAffineMapAttrGet(map));
  tt_set_attr(func, "tt.grid_symbols",
              tt_strings_attr(arena, mlirOperationGetContext(func), n, names));
  return true;
}

/* Ops that say what is done somewhere else. */
static bool check_ops(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    MlirStringRef name = tt_op_name(op);
    if (tt_op_is(op, "func.call")) {
      MlirStringRef callee = tt_string(tt_op_attr(op, "callee"));
      return tt_error(op,
                      "a kernel calls @%.*s, but no function is called on a core: run "
                      "--tt-inline-calls first",
                      (int)callee.length, callee.data);
    }
    bool structured =
        tt_is_linalg(op) && mlirOperationGetNumOperands(op) > 0 && !tt_op_is(op, "linalg.yield");
    if (structured && mlirOperationGetNumRegions(op) == 0)
      return tt_error(op,
                      "%.*s is several ops in one, without a body; write it as linalg.reduce, "
                      "linalg.generic and the like (on tensors, "
                      "transform.structured.decompose_interface does)",
                      (int)name.length, name.data);
  }
  return true;
}

/* What would write may be an op that no kernel holds: of several rather the last. */
static bool refuse_without_output(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = ops.n; i-- > 0;)
    if (!tt_check_refused(ops.data[i])) return false;
  return tt_error(func, "the kernel writes no tensor, so it has no effect");
}

bool tt_partition_kernel(TtArena *arena, MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  TtArgs args = tt_kernel_args(arena, func);
  TtGrid grid;
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor &&
        !tt_buffer_attr_isa(tt_named_attr(func, "buffer", args.data[i].name)))
      return tt_error(func, "tensor '%s' has no tt.buffer.%s: run --tt-infer-layout first",
                      args.data[i].name, args.data[i].name);
  if (!check_ops(arena, func)) return false;
  const TtArg *output = tt_first_output(args);
  if (!output) return refuse_without_output(arena, func);
  if (!tt_name_dims(arena, func) || !tt_find_grid(arena, func, &grid)) return false;
  if (mlirOperationIsNull(grid.loop) &&
      !mlirAttributeIsNull(tt_get_attr(func, "tt.work_partition")))
    return true; /* B2 has turned the grid into a loop */
  TtUnitOrder order;
  if (!tt_find_unit_order(arena, func, &grid, &order)) return false;

  TtTarget target = tt_target_of(func);
  bool dynamic = tt_is_dynamic_grid(&grid); /* then the host program splits the work */
  if (dynamic && !set_grid_map(arena, func, &grid)) return false;
  if (!tt_check_cells(arena, func, &grid, true)) return false;
  tt_note_least_sizes(arena, func);
  tt_keep_rest(arena, func);
  int64_t units = dynamic ? INT64_MAX : grid.cells[0] * grid.cells[1] * grid.cells[2];
  bool own = order.in_l1 && order.block == 0 && order.outer == 1 &&
             order.m.shards * order.n.shards == order.shards.grid_rows * order.shards.grid_cols;
  bool by_shard = order.local || (order.follows && own);
  if (order.local && dynamic) set_dynamic_units(func, &order);
  int64_t cores = by_shard ? order.m.shards * order.n.shards : target.grid_x * target.grid_y;
  if (cores > units) cores = units;
  int64_t width = target.grid_x < cores ? target.grid_x : cores;
  if (by_shard) width = tt_shard_core_columns(order.shards, target);
  intptr_t num_names = order.local ? LOCAL_NAMES : GLOBAL_NAMES;

  tt_set_attr(func, "tt.partition_mode",
              tt_string_attr(context, order.local ? "local_shard" : "global"));
  if (order.local) {
    set_pair(func, "tt.shard_grid", order.m.shards, order.n.shards);
    set_pair(func, "tt.local_shape_tiles", order.shards.shard_rows, order.shards.shard_cols);
  }
  tt_set_attr(func, "tt.grid", mlirDenseI64ArrayGet(context, 3, grid.cells));
  set_grid_tiles(func, output);
  tt_set_attr(func, "tt.kt", tt_i64_attr(context, contraction_tiles(arena, func, args)));
  set_core_grid(func, cores, 1, width);
  tt_set_attr(func, "tt.work_partition",
              dynamic    ? mlirArrayAttrGet(context, 0, NULL)
              : by_shard ? shard_partition(arena, context, &order, width)
                         : work_partition(arena, context, units, cores, width));
  tt_set_attr(func, "tt.runtime_args",
              tt_strings_attr(arena, context, num_names, tt_runtime_arg_names));
  return true;
}

bool tt_run_layout_aware_work_partition(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, tt_partition_kernel);
}
