/*===- kept_dims.c - which dimensions a rank-reducing subview keeps ---------------------------===
 *
 *   memref.subview %Q[0, %m, %h, 0] [1, 64, 1, 40]        keeps dimensions 1 and 3: sizes and
 *   : … to memref<64x40xbf16, strided<[320, 1], …>>       strides say so
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kept_dims.h"

#include "Dialect/shapes.h"

/* Dimensions of a subview, as its source has them, and as its result. */
typedef struct Reduction {
  intptr_t rank, kept;
  int64_t size[TT_MAX_RANK], stride[TT_MAX_RANK];
  MlirType result;
  int64_t strides[TT_MAX_RANK];
} Reduction;

static bool is_same_dim(const Reduction *r, intptr_t i, intptr_t j) {
  return r->size[i] == mlirShapedTypeGetDimSize(r->result, j) &&
         (r->stride[i] == r->strides[j] || r->stride[i] == INT64_MIN || r->strides[j] == INT64_MIN);
}

/* Whether dimensions from `i` on are those of the result from `j` on, without some of one element.
 * The first that may go goes. */
static bool match(const Reduction *r, intptr_t i, intptr_t j, bool *keeps) {
  if (i == r->rank) return j == r->kept;
  keeps[i] = false;
  if (r->size[i] == 1 && match(r, i + 1, j, keeps)) return true;
  keeps[i] = true;
  return j < r->kept && is_same_dim(r, i, j) && match(r, i + 1, j + 1, keeps);
}

bool tt_subview_keeps(MlirOperation subview, bool *keeps) {
  MlirType source = mlirValueGetType(mlirOperationGetOperand(subview, 0));
  MlirAttribute sizes = tt_op_attr(subview, "static_sizes"),
                steps = tt_op_attr(subview, "static_strides");
  Reduction r = {.rank = mlirShapedTypeGetRank(source),
                 .result = mlirValueGetType(mlirOperationGetResult(subview, 0))};
  int64_t start;
  r.kept = mlirShapedTypeGetRank(r.result);
  if (r.rank > TT_MAX_RANK) return false;
  mlirMemRefTypeGetStridesAndOffset(source, r.stride, &start);
  mlirMemRefTypeGetStridesAndOffset(r.result, r.strides, &start);
  for (intptr_t d = 0; d < r.rank; ++d) {
    r.size[d] = mlirDenseI64ArrayGetElement(sizes, d);
    if (r.stride[d] != INT64_MIN) r.stride[d] *= mlirDenseI64ArrayGetElement(steps, d);
  }
  return match(&r, 0, 0, keeps);
}

MlirValue tt_subview_offset(TtBuilder *b, MlirOperation subview, intptr_t d) {
  MlirAttribute offsets = tt_op_attr(subview, "static_offsets");
  intptr_t operand = 1; /* the dynamic offsets follow the source */
  for (intptr_t i = 0; i < d; ++i) operand += mlirDenseI64ArrayGetElement(offsets, i) == INT64_MIN;
  int64_t offset = mlirDenseI64ArrayGetElement(offsets, d);
  return offset == INT64_MIN ? mlirOperationGetOperand(subview, operand)
                             : tt_index(b, mlirOperationGetLocation(subview), offset);
}
