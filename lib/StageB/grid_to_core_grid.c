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
 *   match_shard   shard s = tid / (Sm * Sn);  the same with sy = s / Gx, sx = s % Gx
 *   block_linear  tid / b^2 is the square, tid % b^2 the unit in it, each counted row by row
 *
 * Requires tt.partition_mode and tt.work_partition (B1). Leaves no scf.forall. A
 * kernel without a grid is one unit of work, and stays as it is.
 *
 *===----------------------------------------------------------------------===*/

#include "for_each_kernel.h"
#include "passes_decl.h"
#include "stage_b.h"

static const char *const axis_names[3] = {"bx", "by", "bz"};

/* Cell coordinate of `axis` (0 is x) in unit `tid`. */
static MlirValue coordinate(TtBuilder *b, MlirLocation loc, const TtGrid *grid, int axis,
                            MlirValue tid) {
  int64_t before = 1, after = 1;
  for (int i = 0; i < axis; ++i) before *= grid->cells[i];
  for (int i = axis + 1; i < 3; ++i) after *= grid->cells[i];
  if (grid->cells[axis] == 1) return tt_index(b, loc, 0);
  MlirValue value = tt_div(b, loc, tid, tt_index(b, loc, before));
  if (after > 1) value = tt_rem(b, loc, value, tt_index(b, loc, grid->cells[axis]));
  if (!tt_value_eq(value, tid)) tt_name_hint(tt_defining_op(value), axis_names[axis]);
  return value;
}

/*===- Units that follow shards -------------------------------------------------------===*/

typedef struct Place {
  MlirValue m, n;
} Place;

/* Unit `id` of rows x cols units, row by row, or square by square of `block`. */
static Place place_in(TtBuilder *b, MlirLocation loc, MlirValue id, int64_t cols, int64_t block) {
  MlirValue width = tt_index(b, loc, cols);
  if (block == 0) {
    MlirValue row = tt_div(b, loc, id, width);
    return (Place){row, tt_rem(b, loc, id, width)};
  }
  MlirValue side = tt_index(b, loc, block), area = tt_index(b, loc, block * block);
  Place square = place_in(b, loc, tt_div(b, loc, id, area), cols / block, 0),
        inside = place_in(b, loc, tt_rem(b, loc, id, area), block, 0);
  MlirValue m = tt_mul(b, loc, square.m, side), n = tt_mul(b, loc, square.n, side);
  m = tt_add(b, loc, m, inside.m);
  return (Place){m, tt_add(b, loc, n, inside.n)};
}

static MlirValue runtime_arg(TtBuilder *b, MlirLocation loc, const char *name) {
  MlirOperation op = tt_runtime_arg_create(b, loc, name, mlirAttributeGetNull());
  tt_name_hint(op, name);
  return tt_runtime_arg_value(op);
}

/* A unit of shard (sy, sx), from its place in the shard. */
static Place from_shard(TtBuilder *b, MlirLocation loc, const TtUnitOrder *o, Place in, MlirValue sy,
                        MlirValue sx) {
  MlirValue rows = tt_index(b, loc, o->m.shard_units), cols = tt_index(b, loc, o->n.shard_units);
  if (o->m.shards > 1) in.m = tt_add(b, loc, tt_mul(b, loc, sy, rows), in.m);
  if (o->n.shards > 1) in.n = tt_add(b, loc, tt_mul(b, loc, sx, cols), in.n);
  return in;
}

/* The cells of unit `tid`, by grid dimension. */
static void follow_shards(TtBuilder *b, MlirLocation loc, const TtGrid *grid, const TtUnitOrder *o,
                          MlirValue tid, MlirValue cell[3]) {
  int64_t shard = o->m.shard_units * o->n.shard_units;
  bool squares = o->block > 0 && !o->local; /* of the whole grid */
  int64_t inner = squares ? o->m.units * o->n.units : shard;
  MlirValue id = tid, outer = tt_index(b, loc, 0), zero = outer, s = zero;
  if (!squares && !o->local) { /* shard by shard */
    MlirValue all = tt_index(b, loc, shard * o->outer);
    s = tt_div(b, loc, id, all);
    id = tt_rem(b, loc, id, all);
  }
  if (o->outer > 1) {
    outer = tt_div(b, loc, id, tt_index(b, loc, inner));
    id = tt_rem(b, loc, id, tt_index(b, loc, inner));
  }
  Place place = place_in(b, loc, id, squares ? o->n.units : o->n.shard_units, o->block);
  if (o->local) {
    TtBuilder top = tt_builder_before(mlirBlockGetParentOperation(b->block));
    MlirValue sy = o->m.shards > 1 ? runtime_arg(&top, loc, "sy") : zero,
              sx = o->n.shards > 1 ? runtime_arg(&top, loc, "sx") : zero;
    place = from_shard(b, loc, o, place, sy, sx);
  } else if (!squares) {
    MlirValue across = tt_index(b, loc, o->n.shards);
    MlirValue sy = tt_div(b, loc, s, across), sx = tt_rem(b, loc, s, across);
    place = from_shard(b, loc, o, place, sy, sx);
  }
  const TtUnitSide *sides[2] = {&o->m, &o->n};
  MlirValue at[2] = {place.m, place.n};
  for (int i = 0; i < 2; ++i)
    for (int j = sides[i]->n; j-- > 0;) { /* the innermost first */
      MlirValue cells = tt_index(b, loc, grid->cells[sides[i]->axes[j]]);
      cell[sides[i]->axes[j]] = j > 0 ? tt_rem(b, loc, at[i], cells) : at[i];
      at[i] = tt_div(b, loc, at[i], cells);
    }
  if (o->outer_axis >= 0) cell[o->outer_axis] = outer;
  for (int axis = 0; axis < grid->dims; ++axis) {
    MlirOperation op = tt_defining_op(cell[axis]);
    if (!mlirOperationIsNull(op) && !tt_op_is(op, "arith.constant") && !tt_value_eq(cell[axis], tid))
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
            count = runtime_arg(&b, loc, "count"), cell[3];
  MlirOperation loop =
      tt_for(&b, loc, tt_index(&b, loc, 0), count, tt_index(&b, loc, 1), "unit");
  MlirBlock body = tt_for_body(loop), old = tt_body(grid.loop);
  b = tt_builder_at_terminator(body);
  MlirValue tid = tt_add(&b, loc, start, tt_for_iv(loop));
  if (!order.local) tt_name_hint(tt_defining_op(tid), "tid");
  if (order.follows) follow_shards(&b, loc, &grid, &order, tid, cell);
  else
    for (int axis = grid.dims; axis-- > 0;) cell[axis] = coordinate(&b, loc, &grid, axis, tid);
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
