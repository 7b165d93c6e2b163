/*===- verify_moves.c - verifiers of the tt dialect: data movement ----------------------------===
 *
 * (C1), (C2), … are the constraints in dialects/TTOps.td.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Dialect/shapes.h"
#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "tilewright/ir.h"

#include <string.h>

static bool is_block_of(MlirType cb, MlirType memref) {
  if (!mlirShapedTypeHasStaticShape(memref) || mlirShapedTypeGetRank(memref) > 2 ||
      !mlirTypeEqual(tt_cb_type_element_type(cb), mlirShapedTypeGetElementType(memref)))
    return false;
  TtMatrices m = tt_matrices(memref);
  return tt_tiles(m.rows) == tt_cb_rows(cb) && tt_tiles(m.cols) == tt_cb_cols(cb);
}

bool tt_cb_view_verify(MlirOperation op) {
  if (is_block_of(mlirValueGetType(tt_cb_view_cb(op)), mlirValueGetType(tt_cb_view_view(op))))
    return true;
  return tt_error(op, "(C1) the memref has not the elements of the block");
}

/* An offset in a dimension of which a block takes `size` elements: whole tiles, or one step. */
static bool verify_offset(MlirOperation op, MlirType tensor, intptr_t dim, int64_t offset,
                          int64_t size, bool partial) {
  if (offset < 0 || (size > 1 && offset % TT_TILE != 0))
    return tt_error(op, "(C3) offset %jd of dimension %jd is no multiple of a tile (32)",
                    (intmax_t)offset, (intmax_t)dim);
  if (mlirShapedTypeIsDynamicDim(tensor, dim)) return true;
  int64_t extent = mlirShapedTypeGetDimSize(tensor, dim);
  int64_t padded = size > 1 ? tt_tiles(extent) * TT_TILE : extent;
  if (offset + (partial ? 1 : size) <= padded) return true;
  return tt_error(op, "(C3) the block covers elements %jd to %jd of dimension %jd, which has %jd",
                  (intmax_t)offset, (intmax_t)(offset + size - 1), (intmax_t)dim, (intmax_t)extent);
}

/* How far apart in the tensor the elements of a box are along `d`. */
static int64_t stride_along(MlirOperation op, intptr_t d) {
  MlirAttribute strides = tt_op_attr(op, "strides");
  return mlirAttributeIsNull(strides) ? 1 : mlirDenseI64ArrayGetElement(strides, d);
}

static bool verify_strides(MlirOperation op, intptr_t rank) {
  MlirAttribute strides = tt_op_attr(op, "strides");
  if (mlirAttributeIsNull(strides)) return true;
  bool fits =
      mlirDenseArrayGetNumElements(strides) == rank && !mlirAttributeIsNull(tt_op_attr(op, "box"));
  for (intptr_t d = 0; fits && d < rank; ++d)
    fits = stride_along(op, d) > 0 && stride_along(op, d) <= INT32_MAX;
  return fits || tt_error(op,
                          "(C6) strides are positive, one for each of %jd dimension(s), and go "
                          "with a box",
                          (intmax_t)rank);
}

/* A box of elements, and where they are in the block. */
static bool verify_box(MlirOperation op, MlirType tensor, MlirType cb, intptr_t first_offset) {
  static const char *const names[] = {"box", "rows", "cols"};
  intptr_t rank = mlirShapedTypeGetRank(tensor);
  bool partial = !mlirAttributeIsNull(tt_op_attr(op, "partial"));
  int64_t last[2] = {0, 0}, sides[2] = {tt_cb_rows(cb) * TT_TILE, tt_cb_cols(cb) * TT_TILE};
  for (int i = 0; i < 3; ++i)
    if (mlirAttributeIsNull(tt_op_attr(op, names[i])) ||
        mlirDenseArrayGetNumElements(tt_op_attr(op, names[i])) != rank)
      return tt_error(op, "(C5) needs a number in '%s' for each of %jd dimension(s)", names[i],
                      (intmax_t)rank);
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t size = mlirDenseI64ArrayGetElement(tt_op_attr(op, "box"), d), offset = 0;
    if (size < 1) return tt_error(op, "(C5) the box has no elements in dimension %jd", (intmax_t)d);
    for (int i = 0; i < 2; ++i) {
      int64_t step = mlirDenseI64ArrayGetElement(tt_op_attr(op, names[1 + i]), d);
      if (step < 0 || step > sides[i] || size > sides[0] * sides[1])
        return tt_error(op, "(C5) steps in dimension %jd leave the block", (intmax_t)d);
      last[i] += step * (size - 1);
    }
    int64_t span = (size - 1) * stride_along(op, d) + 1;
    tt_constant(mlirOperationGetOperand(op, first_offset + d), &offset);
    bool ends = !partial && !mlirShapedTypeIsDynamicDim(tensor, d) &&
                offset > mlirShapedTypeGetDimSize(tensor, d) - span;
    if (offset < 0 || ends)
      return tt_error(op, "(C5) the box covers elements %jd to %jd of dimension %jd, which has %jd",
                      (intmax_t)offset, (intmax_t)(offset + span - 1), (intmax_t)d,
                      (intmax_t)mlirShapedTypeGetDimSize(tensor, d));
  }
  return (last[0] < sides[0] && last[1] < sides[1]) ||
         tt_error(op, "(C5) its last element is at row %jd and column %jd of a block of %jd x %jd",
                  (intmax_t)last[0], (intmax_t)last[1], (intmax_t)sides[0], (intmax_t)sides[1]);
}

static bool verify_move(MlirOperation op, MlirType tensor, MlirType cb, intptr_t first_offset,
                        intptr_t num_offsets) {
  bool partial = !mlirAttributeIsNull(tt_op_attr(op, "partial"));
  intptr_t rank = mlirShapedTypeGetRank(tensor);
  if (rank > TT_MAX_RANK)
    return tt_error(op, "(C4) moves blocks of tensors of at most %d dimensions, but this has %jd",
                    TT_MAX_RANK, (intmax_t)rank);
  if (num_offsets != rank && num_offsets != 2 * rank)
    return tt_error(op, "(C1) needs an offset for each of %jd dimension(s), but has %jd",
                    (intmax_t)rank, (intmax_t)num_offsets);
  if (num_offsets != rank && (!partial || mlirAttributeIsNull(tt_op_attr(op, "box"))))
    return tt_error(op, "(C7) sizes stand behind the offsets of a box that is partial");
  if (!mlirTypeEqual(mlirShapedTypeGetElementType(tensor), tt_cb_type_element_type(cb)))
    return tt_error(op, "(C2) tensor and circular buffer differ in element type");
  if (!verify_strides(op, rank)) return false;
  if (!mlirAttributeIsNull(tt_op_attr(op, "box"))) return verify_box(op, tensor, cb, first_offset);
  if (rank < 2 && (tt_cb_rows(cb) != 1 || (rank < 1 && tt_cb_cols(cb) != 1)))
    return tt_error(op, "(C3) a vector is one row of tiles, and a scalar one tile");
  for (intptr_t i = 0; i < rank; ++i) {
    intptr_t side = i - rank + 2;
    int64_t offset, size = side < 0 ? 1 : tt_cb_type_shape(cb, side) * TT_TILE;
    if (!tt_constant(mlirOperationGetOperand(op, first_offset + i), &offset)) offset = 0;
    if (!verify_offset(op, tensor, i, offset, size, partial)) return false;
  }
  return true;
}

static bool verify_first_rows(MlirOperation op) {
  MlirType cb = mlirValueGetType(tt_read_to_cb_cb(op));
  TtDType dtype;
  if (mlirAttributeIsNull(tt_read_to_cb_first_rows(op))) return true;
  bool plain = tt_dtype_of(tt_cb_type_element_type(cb), &dtype) &&
               (tt_format(dtype)->datum_bits == 16 || tt_format(dtype)->datum_bits == 32);
  if (plain && tt_cb_rows(cb) == 1 && mlirAttributeIsNull(tt_read_to_cb_box(op))) return true;
  return tt_error(op, "(C8) first_rows are those of one row of tiles, without a box, of elements "
                      "of 16 or 32 bits");
}

bool tt_read_to_cb_verify(MlirOperation op) {
  return verify_move(op, mlirValueGetType(tt_read_to_cb_tensor(op)),
                     mlirValueGetType(tt_read_to_cb_cb(op)), 1, tt_read_to_cb_num_offsets(op)) &&
         verify_first_rows(op);
}

bool tt_write_from_cb_verify(MlirOperation op) {
  return verify_move(op, mlirValueGetType(tt_write_from_cb_tensor(op)),
                     mlirValueGetType(tt_write_from_cb_cb(op)), 2,
                     tt_write_from_cb_num_offsets(op));
}

bool tt_load_index_verify(MlirOperation op) {
  MlirType type = mlirValueGetType(tt_load_index_tensor(op)),
           element = mlirShapedTypeGetElementType(type);
  unsigned width = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element) : 0;
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return tt_error(op, "(C1) the tensor has integers of 8, 16, 32 or 64 bits");
  if (tt_load_index_num_at(op) == mlirShapedTypeGetRank(type)) return true;
  return tt_error(op, "(C2) %jd indices for a tensor of %jd dimensions",
                  (intmax_t)tt_load_index_num_at(op), (intmax_t)mlirShapedTypeGetRank(type));
}

bool tt_index_to_cb_verify(MlirOperation op) {
  enum { MOST = 256, LAST = TT_TILE - 1 };
  MlirType cb = mlirValueGetType(tt_index_to_cb_cb(op));
  int64_t rows = tt_int(tt_index_to_cb_rows(op)), cols = tt_int(tt_index_to_cb_cols(op));
  MlirType element = tt_cb_type_element_type(cb);
  if (tt_cb_tiles(cb) != 1 || !(mlirTypeIsABF16(element) || mlirTypeIsAF16(element)))
    return tt_error(op, "(C1) indices fill one tile of bf16 or f16");
  bool small = rows > -MOST && rows < MOST && cols > -MOST && cols < MOST;
  if (small && ((rows < 0 ? -rows : rows) + (cols < 0 ? -cols : cols)) * LAST <= MOST) return true;
  return tt_error(op,
                  "(C2) rows = %jd and cols = %jd give values beyond %d, up to which bf16 holds "
                  "integers",
                  (intmax_t)rows, (intmax_t)cols, MOST);
}

bool tt_gather_parts_verify(MlirOperation op) {
  MlirType part = mlirValueGetType(tt_gather_parts_part(op)),
           all = mlirValueGetType(tt_gather_parts_all(op));
  bool in_a_row = tt_cb_tiles(part) == 1 && tt_cb_rows(all) == 1,
       below = tt_cb_cols(part) == tt_cb_cols(all) && tt_cb_rows(all) % tt_cb_rows(part) == 0;
  if ((!in_a_row && !below) || tt_cb_tiles(all) < 2 * tt_cb_tiles(part) ||
      !mlirTypeEqual(tt_cb_type_element_type(part), tt_cb_type_element_type(all)))
    return tt_error(op, "(C1) a block of each core goes to two or more of its type, one below the "
                        "other, or to a row of tiles where it is one");
  if (tt_int(tt_gather_parts_apart(op)) >= 1) return true;
  return tt_error(op, "(C2) cores of a group are at least 1 apart, not %jd",
                  (intmax_t)tt_int(tt_gather_parts_apart(op)));
}

bool tt_relay_verify(MlirOperation op) {
  return mlirTypeEqual(mlirValueGetType(tt_relay_from(op)), mlirValueGetType(tt_relay_to(op))) ||
         tt_error(op, "(C1) a block goes on to a circular buffer of its own type");
}
