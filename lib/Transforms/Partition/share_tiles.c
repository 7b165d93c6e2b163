/*===- share_tiles.c - --tt-share-tiles --------------------------------------------------------===
 *
 * Elements that are no runs of 16 bytes are written by reading their tile, changing it and writing
 * it back. Two cores that did so with one tile would lose elements, so the cells that share tiles
 * become steps of one cell:
 *
 *   before  scf.forall (%s, %h) in (4, 16) {                column %h of a tile of %D
 *             linalg.copy … outs(%D[%s * 32, %h] [32, 1]) }
 *   after   scf.forall (%s, %h1) in (4, 1) {
 *             scf.for %h = 0 to 16 {
 *               linalg.copy … outs(%D[%s * 32, %h] [32, 1]) } }
 *
 * Steps of a loop have an order, which cells have not: those that write the same elements, or that
 * read what others write, are refused before (check_cells.c).
 *
 * Axes whose number of cells is open stay, and --tt-layout-aware-work-partition refuses them.
 *
 * Requires layouts (A1). Leaves no two cells that write parts of one tile, where this helps.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Partition/partition.h"

/* Makes dimension `d` of the grid one cell, with a loop over what its cells were. */
static void walk(MlirOperation grid, intptr_t d) {
  MlirLocation loc = mlirOperationGetLocation(grid);
  MlirContext context = mlirOperationGetContext(grid);
  MlirAttribute upper = tt_op_attr(grid, "staticUpperBound");
  intptr_t dims = mlirDenseArrayGetNumElements(upper);
  int64_t low = mlirDenseI64ArrayGetElement(tt_op_attr(grid, "staticLowerBound"), d),
          step = mlirDenseI64ArrayGetElement(tt_op_attr(grid, "staticStep"), d),
          high = mlirDenseI64ArrayGetElement(upper, d), ends[3];
  for (intptr_t i = 0; i < dims; ++i)
    ends[i] = i == d ? low + step : mlirDenseI64ArrayGetElement(upper, i);
  mlirOperationSetInherentAttributeByName(grid, tt_str("staticUpperBound"),
                                          mlirDenseI64ArrayGet(context, dims, ends));

  MlirBlock cell = tt_body(grid);
  MlirOperation first = mlirBlockGetFirstOperation(cell), end = mlirBlockGetTerminator(cell);
  TtBuilder b = tt_builder_before(first);
  MlirOperation loop = tt_for(&b, loc, tt_index(&b, loc, low), tt_index(&b, loc, high),
                              tt_index(&b, loc, step), NULL);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(cell, d), tt_for_iv(loop));
  MlirOperation place = mlirBlockGetTerminator(tt_for_body(loop));
  for (MlirOperation op = first, next; !tt_op_eq(op, end); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, place);
  }
}

static bool share(TtArena *arena, MlirOperation func) {
  TtGrid grid;
  if (!tt_find_grid(arena, func, &grid)) return false;
  if (mlirOperationIsNull(grid.loop)) return true;
  unsigned axes = tt_axes_sharing_tiles(arena, func, &grid);
  bool any = false;
  for (int axis = 0; axis < grid.dims; ++axis) any |= axes >> axis & 1 && grid.cells[axis] > 1;
  if (any && !tt_check_cells(arena, func, &grid, false)) return false;
  for (int axis = 0; axis < grid.dims; ++axis)
    if (axes >> axis & 1 && grid.cells[axis] > 1) walk(grid.loop, grid.dims - 1 - axis);
  return true;
}

bool tt_run_share_tiles(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, share);
}
