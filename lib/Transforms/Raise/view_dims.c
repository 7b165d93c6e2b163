/*===- view_dims.c - sizes of views by those of what they view --------------------------------===
 *
 *   %v = memref.expand_shape %A … output_shape [%n, 2, 32] : ?x64 into ?x2x32
 *   %d = memref.dim %v, 0                                        = %n
 *   %w = memref.collapse_shape %B [[0, 1], [2]] : ?x4x64 into ?x64
 *   %e = memref.dim %w, 0                                        = (memref.dim %B, 0) * 4
 *
 * What the host program computes, and what is compared with what ends at a tensor's end, are sizes
 * of tensors.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/slices.h"

static MlirValue size_of(TtBuilder *b, MlirLocation loc, MlirValue memref, intptr_t d);

/* The size that an expansion gives dimension `d`. */
static MlirValue given_size(MlirOperation expand, intptr_t d) {
  MlirAttribute sizes = tt_op_attr(expand, "static_output_shape");
  intptr_t operand = 1;
  for (intptr_t i = 0; i < d; ++i)
    operand += mlirDenseI64ArrayGetElement(sizes, i) == mlirShapedTypeGetDynamicSize();
  return mlirOperationGetOperand(expand, operand);
}

static MlirValue joint_size(TtBuilder *b, MlirLocation loc, MlirOperation collapse, intptr_t d) {
  MlirAttribute group = mlirArrayAttrGetElement(tt_op_attr(collapse, "reassociation"), d);
  MlirValue all = {NULL};
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i) {
    intptr_t of = (intptr_t)tt_int(mlirArrayAttrGetElement(group, i));
    MlirValue one = size_of(b, loc, mlirOperationGetOperand(collapse, 0), of);
    all = tt_is_null_value(all) ? one : tt_mul(b, loc, all, one);
  }
  return all;
}

static MlirValue size_of(TtBuilder *b, MlirLocation loc, MlirValue memref, intptr_t d) {
  MlirType type = mlirValueGetType(memref);
  MlirOperation op = tt_defining_op(memref);
  if (!mlirShapedTypeIsDynamicDim(type, d))
    return tt_index(b, loc, mlirShapedTypeGetDimSize(type, d));
  if (tt_op_is(op, "memref.cast")) return size_of(b, loc, mlirOperationGetOperand(op, 0), d);
  if (tt_op_is(op, "memref.expand_shape")) return given_size(op, d);
  if (tt_op_is(op, "memref.collapse_shape")) return joint_size(b, loc, op, d);
  return tt_dynamic_size(b, loc, memref, d);
}

void tt_name_view_dims(TtArena *arena, MlirOperation kernel) {
  TtOps dims = tt_collect(arena, kernel, "memref.dim");
  for (intptr_t i = 0; i < dims.n; ++i) {
    MlirOperation op = dims.data[i];
    MlirValue memref = mlirOperationGetOperand(op, 0);
    int64_t d;
    if (mlirValueIsABlockArgument(memref) || !mlirTypeIsAMemRef(mlirValueGetType(memref)) ||
        !tt_constant(mlirOperationGetOperand(op, 1), &d) || d < 0 ||
        d >= mlirShapedTypeGetRank(mlirValueGetType(memref)))
      continue;
    TtBuilder b = tt_builder_before(op);
    tt_replace(op, size_of(&b, mlirOperationGetLocation(op), memref, (intptr_t)d));
  }
}
