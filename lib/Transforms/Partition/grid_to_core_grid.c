/*===- grid_to_core_grid.c - B2: --tt-grid-to-core-grid ------------------------------===
 *
 * Turns the grid into a persistent loop over the units of work of one core.
 *
 *   before  scf.forall (%by, %bx) in (8, 8) { body(%by, %bx) }
 *   after   %start = tt.runtime_arg "start_id" : index
 *           %count = tt.runtime_arg "count" : index
 *           scf.for %i = %c0 to %count step %c1 {
 *             %tid = arith.addi %start, %i
 *             %by = arith.divui %tid, %c8
 *             %bx = arith.remui %tid, %c8
 *             body(%by, %bx)
 *           }
 *
 *   bx = tid % gx,  by = tid / gx % gy,  bz = tid / (gx * gy)
 *
 * Where units follow the shards of a tensor, m along its rows and n along its columns:
 *
 *   local_shard   m = sy * Sm + tid / Sn,  n = sx * Sn + tid % Sn,  with tid from 0 on each core
 *   match_shard   rectangle by rectangle of Sm x Sn units, row by row in each
 *   block_linear  the same with squares of `block` units
 *
 * The last shards and rectangles may have fewer units: their sides are min(Sn, what is left).
 *
 * Requires tt.partition_mode and tt.work_partition (B1). Leaves no scf.forall. A
 * kernel without a grid is one unit of work, and stays as it is.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Partition/partition.h"

static const char *const axis_names[3] = {"bx", "by", "bz"};

static MlirValue runtime_arg(TtBuilder *b, MlirLocation loc, const char *name) {
  MlirOperation op = tt_runtime_arg_create(b, loc, name, mlirAttributeGetNull());
  tt_name_hint(op, name);
  return tt_runtime_arg_value(op);
}

/* The cells along each axis, as values: constants, or gx and gy. Row by row, that of the last one
 * is not used. */
static void cell_counts(TtBuilder *b, MlirLocation loc, const TtGrid *grid, bool all,
                        MlirValue counts[3]) {
  static const char *const names[2] = {"gx", "gy"};
  for (int axis = 0; axis < 3; ++axis) {
    bool named = grid->cells[axis] == 0 && axis < 2 && (all || axis + 1 < grid->dims);
    counts[axis] = named ? runtime_arg(b, loc, names[axis]) : tt_index(b, loc, grid->cells[axis]);
  }
}

/* Cell coordinate of `axis` (0 is x) in unit `tid`. */
static MlirValue coordinate(TtBuilder *b, MlirLocation loc, const TtGrid *grid,
                            const MlirValue counts[3], int axis, MlirValue tid) {
  MlirValue before = tt_index(b, loc, 1);
  bool after = false;
  if (grid->cells[axis] == 1) return tt_index(b, loc, 0);
  for (int i = 0; i < axis; ++i) before = tt_mul(b, loc, before, counts[i]);
  for (int i = axis + 1; i < 3; ++i) after |= grid->cells[i] != 1;
  MlirValue value = tt_div(b, loc, tid, before);
  if (after) value = tt_rem(b, loc, value, counts[axis]);
  if (!tt_value_eq(value, tid)) tt_name_hint(tt_defining_op(value), axis_names[axis]);
  return value;
}

/*===- Units that follow shards -------------------------------------------------------===*/

typedef struct Place {
  MlirValue m, n;
} Place;

static bool divides(int64_t divisor, MlirValue value) {
  int64_t c;
  return tt_constant(value, &c) && c % divisor == 0;
}

static bool at_most(MlirValue value, int64_t limit) {
  int64_t c;
  return tt_constant(value, &c) && c <= limit;
}

/* How much of `step` is left of `all` from step `i` on. */
static MlirValue clipped(TtBuilder *b, MlirLocation loc, MlirValue all, MlirValue i, int64_t step) {
  MlirValue whole = tt_index(b, loc, step);
  if (divides(step, all)) return whole;
  MlirValue before = tt_mul(b, loc, i, whole), rest = tt_sub(b, loc, all, before);
  return tt_min(b, loc, whole, rest);
}

/* Unit `id` of rows x cols units that are visited rectangle by rectangle of m x n, the last
 * ones being smaller, and row by row in each. */
static Place place_in(TtBuilder *b, MlirLocation loc, MlirValue id, MlirValue rows, MlirValue cols,
                      int64_t m, int64_t n) {
  MlirValue band_units = tt_mul(b, loc, cols, tt_index(b, loc, m));
  MlirValue zero = tt_index(b, loc, 0), band = zero, in_band = id, across = zero, inside;
  if (!at_most(rows, m)) {
    band = tt_div(b, loc, id, band_units);
    in_band = tt_rem(b, loc, id, band_units);
  }
  MlirValue height = clipped(b, loc, rows, band, m),
            area = tt_mul(b, loc, height, tt_index(b, loc, n));
  inside = in_band;
  if (!at_most(cols, n)) {
    across = tt_div(b, loc, in_band, area);
    inside = tt_rem(b, loc, in_band, area);
  }
  MlirValue width = clipped(b, loc, cols, across, n);
  MlirValue down = tt_mul(b, loc, band, tt_index(b, loc, m)), row = tt_div(b, loc, inside, width);
  MlirValue left = tt_mul(b, loc, across, tt_index(b, loc, n)), col = tt_rem(b, loc, inside, width);
  row = tt_add(b, loc, down, row);
  return (Place){row, tt_add(b, loc, left, col)};
}

/* Unit `id` of rows x cols units, row by row. */
static Place row_by_row(TtBuilder *b, MlirLocation loc, MlirValue id, MlirValue cols) {
  MlirValue row = tt_div(b, loc, id, cols);
  return (Place){row, tt_rem(b, loc, id, cols)};
}

/* Where this core's shard starts along a side, and how many units it has; `coordinate` is sy or
 * sx. */
static MlirValue local_side(TtBuilder *b, MlirLocation loc, const TtUnitSide *side,
                            const MlirValue counts[3], const char *coordinate, MlirValue *start) {
  MlirValue units = tt_index(b, loc, 1);
  *start = tt_index(b, loc, 0);
  for (int i = 0; i < side->n; ++i) units = tt_mul(b, loc, units, counts[side->axes[i]]);
  if (side->shards == 1) return units;
  TtBuilder top = tt_builder_before(mlirBlockGetParentOperation(b->block));
  MlirValue shard = runtime_arg(&top, loc, coordinate);
  *start = tt_mul(b, loc, shard, tt_index(b, loc, side->shard_units));
  MlirValue size = clipped(b, loc, units, shard, side->shard_units);
  int64_t constant;
  if (!tt_constant(size, &constant))
    tt_name_hint(tt_defining_op(size), coordinate[1] == 'y' ? "units_down" : "units_across");
  return size;
}

/* The place of a unit, and in `id` which cell of the outer dimension it is. */
static Place place_of(TtBuilder *b, MlirLocation loc, const TtUnitOrder *o,
                      const MlirValue counts[3], MlirValue *id) {
  MlirValue top = tt_index(b, loc, 0), left = top, rows = tt_index(b, loc, o->m.units),
            cols = tt_index(b, loc, o->n.units), unit = *id;
  if (o->local) {
    rows = local_side(b, loc, &o->m, counts, "sy", &top);
    cols = local_side(b, loc, &o->n, counts, "sx", &left);
  }
  MlirValue area = tt_mul(b, loc, rows, cols);
  if (o->outer > 1) {
    *id = tt_div(b, loc, unit, area);
    unit = tt_rem(b, loc, unit, area);
  }
  int64_t m = o->block ? o->block : o->m.shard_units, n = o->block ? o->block : o->n.shard_units;
  Place place = o->local && o->block == 0 ? row_by_row(b, loc, unit, cols)
                                          : place_in(b, loc, unit, rows, cols, m, n);
  place.m = tt_add(b, loc, top, place.m);
  place.n = tt_add(b, loc, left, place.n);
  return place;
}

/* The cells of unit `tid`, by grid dimension. */
static void follow_shards(TtBuilder *b, MlirLocation loc, const TtGrid *grid, const TtUnitOrder *o,
                          const MlirValue counts[3], MlirValue tid, MlirValue cell[3]) {
  MlirValue outer = tid;
  Place place = place_of(b, loc, o, counts, &outer);
  const TtUnitSide *sides[2] = {&o->m, &o->n};
  MlirValue at[2] = {place.m, place.n};
  for (int i = 0; i < 2; ++i)
    for (int j = sides[i]->n; j-- > 0;) { /* the innermost first */
      MlirValue cells = counts[sides[i]->axes[j]];
      cell[sides[i]->axes[j]] = j > 0 ? tt_rem(b, loc, at[i], cells) : at[i];
      at[i] = tt_div(b, loc, at[i], cells);
    }
  if (o->outer_axis >= 0) cell[o->outer_axis] = outer;
  for (int axis = 0; axis < grid->dims; ++axis) {
    MlirOperation op = tt_defining_op(cell[axis]);
    if (!mlirOperationIsNull(op) && !tt_op_is(op, "arith.constant") &&
        !tt_value_eq(cell[axis], tid))
      tt_name_hint(op, axis_names[axis]);
  }
}

/*===- The loop -----------------------------------------------------------------------===*/

/* The induction variable of the grid's loop at a cell. */
static MlirValue induction(TtBuilder *b, MlirLocation loc, const TtGrid *grid, int axis,
                           MlirValue cell) {
  intptr_t dim = grid->dims - 1 - axis;
  int64_t lb = mlirDenseI64ArrayGetElement(tt_op_attr(grid->loop, "staticLowerBound"), dim);
  int64_t step = mlirDenseI64ArrayGetElement(tt_op_attr(grid->loop, "staticStep"), dim);
  return tt_add(b, loc, tt_mul(b, loc, cell, tt_index(b, loc, step)), tt_index(b, loc, lb));
}

static bool make_persistent(TtArena *arena, MlirOperation func) {
  if (mlirAttributeIsNull(tt_get_attr(func, "tt.work_partition")))
    return tt_error(func, "the kernel has no tt.work_partition: run "
                          "--tt-layout-aware-work-partition first");
  TtGrid grid;
  TtUnitOrder order;
  if (!tt_find_grid(arena, func, &grid)) return false;
  if (mlirOperationIsNull(grid.loop)) return true;
  if (!tt_find_unit_order(arena, func, &grid, &order)) return false;

  MlirLocation loc = mlirOperationGetLocation(grid.loop);
  TtBuilder b = tt_builder_before(grid.loop);
  MlirValue start = order.local ? tt_index(&b, loc, 0) : runtime_arg(&b, loc, "start_id"),
            count = runtime_arg(&b, loc, "count"), cell[3], counts[3];
  cell_counts(&b, loc, &grid, order.follows, counts);
  MlirOperation loop = tt_for(&b, loc, tt_index(&b, loc, 0), count, tt_index(&b, loc, 1), "unit");
  MlirBlock body = tt_for_body(loop), old = tt_body(grid.loop);
  b = tt_builder_at_terminator(body);
  MlirValue tid = tt_add(&b, loc, start, tt_for_iv(loop));
  if (!order.local) tt_name_hint(tt_defining_op(tid), "tid");
  if (order.follows) follow_shards(&b, loc, &grid, &order, counts, tid, cell);
  else
    for (int axis = grid.dims; axis-- > 0;)
      cell[axis] = coordinate(&b, loc, &grid, counts, axis, tid);
  for (int dim = 0; dim < grid.dims; ++dim)
    mlirValueReplaceAllUsesOfWith(
        mlirBlockGetArgument(old, dim),
        induction(&b, loc, &grid, grid.dims - 1 - dim, cell[grid.dims - 1 - dim]));
  for (MlirOperation op = mlirBlockGetFirstOperation(old), next; !tt_is_terminator(op); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, b.before);
  }
  mlirOperationDestroy(grid.loop);
  return true;
}

bool tt_run_grid_to_core_grid(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, make_persistent);
}
