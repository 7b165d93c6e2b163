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

static MlirValue induction(TtBuilder *b, MlirLocation loc, const TtGrid *grid, int axis,
                           MlirValue tid) {
  intptr_t dim = grid->dims - 1 - axis;
  int64_t lb = mlirDenseI64ArrayGetElement(tt_op_attr(grid->loop, "staticLowerBound"), dim);
  int64_t step = mlirDenseI64ArrayGetElement(tt_op_attr(grid->loop, "staticStep"), dim);
  MlirValue cell = coordinate(b, loc, grid, axis, tid);
  MlirValue scaled = tt_mul(b, loc, cell, tt_index(b, loc, step));
  return tt_add(b, loc, scaled, tt_index(b, loc, lb));
}

static MlirValue runtime_arg(TtBuilder *b, MlirLocation loc, const char *name) {
  MlirOperation op = tt_runtime_arg_create(b, loc, name, mlirAttributeGetNull());
  tt_name_hint(op, name);
  return tt_runtime_arg_value(op);
}

static bool make_persistent(TtArena *arena, MlirOperation func) {
  if (mlirAttributeIsNull(tt_get_attr(func, "tt.work_partition")))
    return tt_error(func, "the kernel has no tt.work_partition: run "
                          "--tt-layout-aware-work-partition first");
  TtGrid grid;
  if (!tt_find_grid(arena, func, &grid)) return false;
  if (mlirOperationIsNull(grid.loop)) return true;

  MlirLocation loc = mlirOperationGetLocation(grid.loop);
  TtBuilder b = tt_builder_before(grid.loop);
  MlirValue start = runtime_arg(&b, loc, "start_id"), count = runtime_arg(&b, loc, "count");
  MlirOperation loop =
      tt_for(&b, loc, tt_index(&b, loc, 0), count, tt_index(&b, loc, 1), "unit");
  MlirBlock body = tt_for_body(loop), old = tt_body(grid.loop);
  b = tt_builder_at_terminator(body);
  MlirValue tid = tt_add(&b, loc, start, tt_for_iv(loop));
  tt_name_hint(tt_defining_op(tid), "tid");
  for (int dim = 0; dim < grid.dims; ++dim)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(old, dim),
                                  induction(&b, loc, &grid, grid.dims - 1 - dim, tid));
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
