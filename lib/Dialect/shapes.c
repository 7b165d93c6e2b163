/*===- shapes.c - tiles of tensors and of blocks -------------------------------------------===*/

#include "Dialect/shapes.h"

#include "Dialect/op_info.h"

#include <ctype.h>

int64_t tt_tiles(int64_t elements) { return elements / TT_TILE + (elements % TT_TILE > 0); }

TtProductShape tt_product_shape(MlirOperation mma) {
  MlirType a = mlirValueGetType(tt_mm_mma_a(mma)), b = mlirValueGetType(tt_mm_mma_b(mma));
  bool transposed = !mlirAttributeIsNull(tt_mm_mma_transpose_b(mma));
  return (TtProductShape){tt_cb_rows(a), tt_cb_cols(a), transposed ? tt_cb_rows(b) : tt_cb_cols(b),
                          transposed ? tt_cb_cols(b) : tt_cb_rows(b)};
}

TtMatrices tt_matrices(MlirType memref) {
  TtMatrices m = {1, 1, 1};
  intptr_t rank = mlirShapedTypeGetRank(memref);
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t size = mlirShapedTypeIsDynamicDim(memref, d) ? -1 : mlirShapedTypeGetDimSize(memref, d);
    if (d == rank - 1) m.cols = size;
    else if (d == rank - 2) m.rows = size;
    else m.count *= size;
  }
  return m;
}

int64_t tt_tensor_tiles(MlirType memref) {
  TtMatrices m = tt_matrices(memref);
  return m.count * tt_tiles(m.rows) * tt_tiles(m.cols);
}

/*===- Access ---------------------------------------------------------------===*/

bool tt_access_bcast(TtAccess access, TtBcast *bcast) {
  bool is = access >= TT_ACCESS_ROWS && access <= TT_ACCESS_SCALAR;
  if (is) *bcast = (TtBcast)(access - TT_ACCESS_ROWS);
  return is;
}

static TtAccess access_of_bcast(MlirAttribute bcast) {
  return mlirAttributeIsNull(bcast) ? TT_ACCESS_FULL : (TtAccess)(TT_ACCESS_ROWS + tt_int(bcast));
}

/* Of a copy: each tile, the one that there is, or turned ones. */
static TtAccess access_of_copy(MlirOperation op) {
  if (!mlirAttributeIsNull(tt_op_attr(op, "repeat"))) return TT_ACCESS_CONSTANT;
  return mlirAttributeIsNull(tt_op_attr(op, "transpose")) ? TT_ACCESS_FULL : TT_ACCESS_TURNED;
}

TtAccess tt_access(MlirOperation op, intptr_t i) {
  switch (tt_op_info(op)->takes[i]) {
  case TT_TAKES_ONE: return TT_ACCESS_CONSTANT;
  case TT_TAKES_PART: return TT_ACCESS_PART;
  case TT_TAKES_INSET: return TT_ACCESS_INSET;
  case TT_TAKES_BCAST: return access_of_bcast(tt_op_attr(op, "bcast"));
  case TT_TAKES_TURNED: return access_of_copy(op);
  case TT_TAKES_REDUCED:
    return tt_reduce_is_row((TtReduce)tt_int(tt_op_attr(op, "op"))) ? TT_ACCESS_REDUCED_ROW
                                                                    : TT_ACCESS_REDUCED_COL;
  default: return TT_ACCESS_FULL;
  }
}

/*===- Names -----------------------------------------------------------------===*/

bool tt_is_dim_name(MlirStringRef name) {
  size_t n = name.length;
  while (n > 0 && isdigit((unsigned char)name.data[n - 1])) --n;
  return n < name.length && n > 2 && name.data[n - 1] == 'd' && name.data[n - 2] == '_';
}
