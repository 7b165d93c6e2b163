/*===- spread_copy.c - a copy of a part of a tensor, on many cores ------------------------------===
 *
 *   memref.copy %x, %v : 16x16x64, part of 18x18x64
 * = scf.forall (%i) in (16) { memref.copy %x[%i, :, :], %v[%i, :, :] }
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/grids.h"
#include "Transforms/Raise/slices.h"

/* The first dimension outside of the matrices that has several steps; -1 where there is none, or
 * sizes are not known. */
static intptr_t loop_of(MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (!mlirShapedTypeHasStaticShape(type) || rank > TT_MAX_RANK) return -1;
  for (intptr_t d = 0; d + 2 < rank; ++d)
    if (mlirShapedTypeGetDimSize(type, d) > 1) return d;
  return -1;
}

static bool has_strides(MlirType type) {
  int64_t strides[TT_MAX_RANK], start;
  return mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &start));
}

/* A grid of `n` cells, before `op`. */
static MlirOperation make_grid(MlirOperation op, int64_t n) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  TtOpState s = tt_op_state("scf.forall", loc), end = tt_op_state("scf.forall.in_parallel", loc);
  tt_op_state_attr(&s, b.context, "staticLowerBound",
                   mlirDenseI64ArrayGet(b.context, 1, (int64_t[]){0}));
  tt_op_state_attr(&s, b.context, "staticUpperBound", mlirDenseI64ArrayGet(b.context, 1, &n));
  tt_op_state_attr(&s, b.context, "staticStep", mlirDenseI64ArrayGet(b.context, 1, (int64_t[]){1}));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 4, (int32_t[]){0, 0, 0, 0}));
  tt_op_state_region(&s);
  tt_op_state_region(&end);
  MlirOperation grid = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirBlockAddArgument(tt_body(grid), mlirIndexTypeGet(b.context), loc);
  mlirBlockAppendOwnedOperation(tt_body(grid), tt_op_state_finish(&end));
  return grid;
}

static MlirValue step_of(TtBuilder *b, MlirLocation loc, MlirValue memref, intptr_t loop,
                         MlirValue at) {
  TtTake takes[TT_MAX_RANK];
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(memref)); ++d)
    takes[d] = (TtTake){d != loop, d == loop ? at : (MlirValue){NULL}};
  return tt_slice(b, loc, memref, takes);
}

MlirOperation tt_spread_copy(MlirOperation copy) {
  MlirValue from = mlirOperationGetOperand(copy, 0), to = mlirOperationGetOperand(copy, 1);
  MlirType type = mlirValueGetType(from), other = mlirValueGetType(to);
  if (!mlirTypeIsAMemRef(type) || !mlirTypeIsAMemRef(other)) return copy;
  intptr_t loop = loop_of(type);
  if (loop < 0 || loop_of(other) != loop || !has_strides(type) || !has_strides(other)) return copy;
  MlirLocation loc = mlirOperationGetLocation(copy);
  MlirOperation grid = make_grid(copy, mlirShapedTypeGetDimSize(type, loop));
  TtBuilder b = tt_builder_at_terminator(tt_body(grid));
  MlirValue at = mlirBlockGetArgument(tt_body(grid), 0);
  TtOpState step = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&step, step_of(&b, loc, from, loop, at));
  tt_op_state_operand(&step, step_of(&b, loc, to, loop, at));
  tt_builder_insert(&b, tt_op_state_finish(&step));
  mlirOperationDestroy(copy);
  return grid;
}
