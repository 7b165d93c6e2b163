/*===- grid.c - the grid of a kernel ------------------------------------------------===
 *
 * An scf.forall of one to three dimensions. Its dimensions are named from the
 * innermost: x, y, z. Canonicalization removes unit dimensions and whole unit
 * loops, so a missing dimension has one cell.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Partition/partition.h"

static bool extent(MlirOperation loop, intptr_t dim, int64_t *cells, MlirValue *upper) {
  MlirAttribute lb = tt_op_attr(loop, "staticLowerBound"),
                ub = tt_op_attr(loop, "staticUpperBound"), step = tt_op_attr(loop, "staticStep");
  int64_t l = mlirDenseI64ArrayGetElement(lb, dim), u = mlirDenseI64ArrayGetElement(ub, dim),
          s = mlirDenseI64ArrayGetElement(step, dim);
  if (l == INT64_MIN || s == INT64_MIN) /* ShapedType::kDynamic */
    return tt_error(loop,
                    "the start or step of grid dimension %jd is not constant; make it a constant",
                    (intmax_t)dim);
  if (s <= 0)
    return tt_error(loop, "the step of grid dimension %jd is %jd; make it positive", (intmax_t)dim,
                    (intmax_t)s);
  *cells = 0;
  if (u == INT64_MIN) {
    intptr_t operand = 0;
    for (intptr_t i = 0; i < dim; ++i) operand += mlirDenseI64ArrayGetElement(ub, i) == INT64_MIN;
    *upper = mlirOperationGetOperand(loop, operand);
    return l == 0 ||
           tt_error(loop,
                    "grid dimension %jd ends at a value and does not start at 0; make its "
                    "lower bound 0",
                    (intmax_t)dim);
  }
  int64_t length = 0;
  bool over = u > l && __builtin_sub_overflow(u, l, &length);
  *cells = over ? INT64_MAX : length / s + (length % s != 0);
  if (*cells == 0) return tt_error(loop, "grid dimension %jd has no cells", (intmax_t)dim);
  return true;
}

/* Units are numbered in 32 bits, by runtime arguments of the kernels. */
static bool check_size(const TtGrid *grid) {
  int64_t units = 1;
  for (int axis = 0; axis < 3; ++axis) {
    bool over = __builtin_mul_overflow(units, grid->cells[axis] ? grid->cells[axis] : 1, &units);
    if (over || units > UINT32_MAX)
      return tt_error(
          grid->loop,
          "the grid has more than %ju cells, and kernels number them in 32 bits; let each cell "
          "do more",
          (uintmax_t)UINT32_MAX);
  }
  return true;
}

bool tt_is_dynamic_grid(const TtGrid *grid) {
  return grid->cells[0] == 0 || grid->cells[1] == 0 || grid->cells[2] == 0;
}

MlirValue tt_grid_cells(TtBuilder *b, const TtGrid *grid, int axis) {
  MlirLocation loc = mlirOperationGetLocation(grid->loop);
  if (grid->cells[axis] > 0) return tt_index(b, loc, grid->cells[axis]);
  int64_t step =
      mlirDenseI64ArrayGetElement(tt_op_attr(grid->loop, "staticStep"), grid->dims - 1 - axis);
  MlirValue up = tt_add(b, loc, grid->upper[axis], tt_index(b, loc, step - 1));
  return tt_div(b, loc, up, tt_index(b, loc, step));
}

/* Outside the grid, a kernel may only allocate and compute indices. */
static bool check_outside(MlirOperation func, MlirOperation loop) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(func)); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    bool moves = tt_op_is(op, "memref.copy") || tt_is_linalg(op) || tt_op_is(op, "scf.for");
    if (moves && !tt_op_eq(op, loop))
      return tt_error(op, "this runs outside the grid, on no particular core; move it into the "
                          "scf.forall");
  }
  return true;
}

bool tt_find_grid(TtArena *arena, MlirOperation func, TtGrid *grid) {
  *grid = (TtGrid){.cells = {1, 1, 1}};
  TtOps loops = tt_collect(arena, func, "scf.forall");
  if (loops.n == 0) return true;
  MlirOperation loop = grid->loop = loops.data[0];
  if (loops.n > 1)
    return tt_error(loops.data[1], "a kernel has one grid, but this is its second scf.forall: run "
                                   "--tt-split-grids first, which makes it two kernels");
  if (!mlirBlockEqual(mlirOperationGetBlock(loop), tt_body(func)))
    return tt_error(loop, "the grid must be the outermost loop of its kernel");
  if (mlirOperationGetNumResults(loop) != 0)
    return tt_error(loop, "the grid returns tensors; run bufferization first");
  grid->dims = (int)mlirDenseArrayGetNumElements(tt_op_attr(loop, "staticUpperBound"));
  if (grid->dims > 3)
    return tt_error(loop, "a grid has at most 3 dimensions, but this has %d", grid->dims);
  for (int dim = 0; dim < grid->dims; ++dim)
    if (!extent(loop, dim, &grid->cells[grid->dims - 1 - dim], &grid->upper[grid->dims - 1 - dim]))
      return false;
  return check_size(grid) && check_outside(func, loop);
}
