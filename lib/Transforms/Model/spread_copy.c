/*===- spread_copy.c - a copy of a part of a tensor, on many cores ------------------------------===
 *
 *   memref.copy %x, %v : ?x16x16x64, part of ?x18x18x64
 * = scf.forall (%b, %i) in (%n, 16) { memref.copy %x[%b, %i, :, :], %v[%b, %i, :, :] }
 *
 * Matrices of open size are left: one that ends within another one has tiles with it in common.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/grids.h"
#include "Transforms/Raise/slices.h"

/* Whether both have the same dimensions, and matrices of constant size. */
static bool fit(MlirType a, MlirType b) {
  intptr_t rank = mlirShapedTypeGetRank(a);
  if (rank > TT_MAX_RANK || mlirShapedTypeGetRank(b) != rank) return false;
  for (intptr_t d = 0; d < rank; ++d)
    if (mlirShapedTypeGetDimSize(a, d) != mlirShapedTypeGetDimSize(b, d) ||
        (d + 2 >= rank && mlirShapedTypeIsDynamicDim(a, d)))
      return false;
  return true;
}

static bool has_strides(MlirType type) {
  int64_t strides[TT_MAX_RANK], start;
  return mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &start));
}

/* A grid over those dimensions outside of the matrices that have several steps, before `op`. Which
 * index of it each is goes to `index`, -1 for one that is no loop; null where there is none. */
static MlirOperation make_grid(MlirOperation op, MlirValue memref, intptr_t *index) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(memref);
  TtOpState s = tt_op_state("scf.forall", loc), end = tt_op_state("scf.forall.in_parallel", loc);
  int64_t zeros[TT_MAX_RANK] = {0}, ends[TT_MAX_RANK], ones[TT_MAX_RANK];
  int32_t segments[4] = {0, 0, 0, 0};
  intptr_t n = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    index[d] = -1;
    if (d + 2 >= mlirShapedTypeGetRank(type) || size == 1) continue;
    bool open = mlirShapedTypeIsDynamicDim(type, d);
    if (open) tt_op_state_operand(&s, tt_dynamic_size(&b, loc, memref, d)), ++segments[1];
    ends[n] = open ? INT64_MIN : size, ones[n] = 1;
    index[d] = n++;
  }
  if (n == 0) return (MlirOperation){NULL};
  tt_op_state_attr(&s, b.context, "staticLowerBound", mlirDenseI64ArrayGet(b.context, n, zeros));
  tt_op_state_attr(&s, b.context, "staticUpperBound", mlirDenseI64ArrayGet(b.context, n, ends));
  tt_op_state_attr(&s, b.context, "staticStep", mlirDenseI64ArrayGet(b.context, n, ones));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 4, segments));
  tt_op_state_region(&s);
  tt_op_state_region(&end);
  MlirOperation grid = tt_builder_insert(&b, tt_op_state_finish(&s));
  for (intptr_t i = 0; i < n; ++i)
    mlirBlockAddArgument(tt_body(grid), mlirIndexTypeGet(b.context), loc);
  mlirBlockAppendOwnedOperation(tt_body(grid), tt_op_state_finish(&end));
  return grid;
}

/* What a cell has of a memref. */
static MlirValue step_of(TtBuilder *b, MlirLocation loc, MlirOperation grid, MlirValue memref,
                         const intptr_t *index) {
  TtTake takes[TT_MAX_RANK];
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(memref)); ++d) {
    takes[d] = (TtTake){index[d] < 0, {NULL}};
    if (index[d] >= 0) takes[d].at = mlirBlockGetArgument(tt_body(grid), index[d]);
  }
  return tt_slice(b, loc, memref, takes);
}

MlirOperation tt_spread_copy(MlirOperation copy) {
  MlirValue from = mlirOperationGetOperand(copy, 0), to = mlirOperationGetOperand(copy, 1);
  MlirType type = mlirValueGetType(from), other = mlirValueGetType(to);
  intptr_t index[TT_MAX_RANK];
  if (!mlirTypeIsAMemRef(type) || !mlirTypeIsAMemRef(other) || !fit(type, other) ||
      !has_strides(type) || !has_strides(other))
    return copy;
  MlirLocation loc = mlirOperationGetLocation(copy);
  MlirOperation grid = make_grid(copy, to, index);
  if (mlirOperationIsNull(grid)) return copy;
  TtBuilder b = tt_builder_at_terminator(tt_body(grid));
  TtOpState step = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&step, step_of(&b, loc, grid, from, index));
  tt_op_state_operand(&step, step_of(&b, loc, grid, to, index));
  tt_builder_insert(&b, tt_op_state_finish(&step));
  mlirOperationDestroy(copy);
  return grid;
}
