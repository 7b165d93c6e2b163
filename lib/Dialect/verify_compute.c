/*===- verify_compute.c - verifiers of the tt dialect: the type, and compute ------------------===
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

const char *tt_cb_type_check(intptr_t rank, const int64_t *shape, MlirType element) {
  TtDType dtype;
  if (rank != 2) return "a circular buffer's block has two sides, in tiles: !tt.cb<4x1xbf16>";
  if (shape[0] < 1 || shape[1] < 1) return "a circular buffer's block has at least one tile";
  if (shape[0] > 1 << 20 || shape[1] > 1 << 20) return "a circular buffer's block is too large";
  if (!tt_dtype_of(element, &dtype))
    return "a circular buffer holds bf16, f16, f32, i32, i16 or i8 elements";
  return NULL;
}

static bool verify_dst(MlirOperation op, MlirAttribute dst) {
  if (tt_int(dst) >= 0) return true;
  return tt_error(op, "(C3) dst is not negative, but this is %jd", (intmax_t)tt_int(dst));
}

bool tt_mm_mma_verify(MlirOperation op) {
  TtProductShape p = tt_product_shape(op);
  if (p.k != p.inner_b)
    return tt_error(op, "(C1) a has %jd columns of tiles, but b has %jd %s", (intmax_t)p.k,
                    (intmax_t)p.inner_b,
                    mlirAttributeIsNull(tt_mm_mma_transpose_b(op)) ? "rows" : "columns");
  MlirValue out = tt_mm_mma_out(op);
  if (!tt_is_null_value(out)) {
    MlirType c = mlirValueGetType(out);
    if (tt_cb_rows(c) != p.r || tt_cb_cols(c) != p.c)
      return tt_error(
          op, "(C2) the result is %jdx%jd tiles, but the circular buffer's block is %jdx%jd",
          (intmax_t)p.r, (intmax_t)p.c, (intmax_t)tt_cb_rows(c), (intmax_t)tt_cb_cols(c));
  }
  return verify_dst(op, tt_mm_mma_dst(op));
}

/* The sides of the result, in tiles, as the op's target or an operand says; 0 where none does. */
typedef struct Sides {
  int64_t rows, cols;
} Sides;

/* What an operand of `have` tiles says of the result. */
static Sides result_of(TtAccess access, Sides have) {
  switch (access) {
  case TT_ACCESS_FULL: return have;
  case TT_ACCESS_TURNED: return (Sides){have.cols, have.rows};
  case TT_ACCESS_COLS: return (Sides){have.rows, 0};
  case TT_ACCESS_REDUCED_ROW: return (Sides){have.rows, 1};
  case TT_ACCESS_ROWS: return (Sides){0, have.cols};
  case TT_ACCESS_REDUCED_COL: return (Sides){1, have.cols};
  default: return (Sides){0, 0};
  }
}

/* Whether an operand has the one tile, row or column of tiles that its access is for. */
static bool is_narrow(TtAccess access, Sides have) {
  bool row = have.rows == 1, col = have.cols == 1;
  switch (access) {
  case TT_ACCESS_ROWS: return row;
  case TT_ACCESS_COLS: return col;
  case TT_ACCESS_SCALAR:
  case TT_ACCESS_CONSTANT: return row && col;
  default: return true;
  }
}

static Sides sides(MlirValue cb) {
  MlirType type = mlirValueGetType(cb);
  return (Sides){tt_cb_rows(type), tt_cb_cols(type)};
}

/* The operands fit each other and the target, each in its way. */
static bool verify_blocks(MlirOperation op, intptr_t inputs, MlirValue out, MlirAttribute dst) {
  Sides result = {0, 0};
  if (!tt_is_null_value(out)) result = sides(out);
  for (intptr_t i = 0; i < inputs; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    Sides have = sides(operand), says = result_of(tt_access(op, i), have);
    if (!is_narrow(tt_access(op, i), have))
      return tt_error(op, "(C1) operand %jd has %jdx%jd tiles, but it is %s", (intmax_t)i,
                      (intmax_t)have.rows, (intmax_t)have.cols,
                      tt_access(op, i) == TT_ACCESS_ROWS ? "a row, so that it has one row of tiles"
                      : tt_access(op, i) == TT_ACCESS_COLS ? "a column, so that it has one column"
                                                           : "one tile");
    if ((says.rows && result.rows && says.rows != result.rows) ||
        (says.cols && result.cols && says.cols != result.cols))
      return tt_error(op, "(C1) the blocks differ in shape");
    if (says.rows) result.rows = says.rows;
    if (says.cols) result.cols = says.cols;
  }
  return verify_dst(op, dst);
}

static bool verify_bcast(MlirOperation op, MlirAttribute bcast) {
  bool row = !mlirAttributeIsNull(bcast) && tt_int(bcast) == TT_BCAST_ROWS;
  return !row || !tt_fpu_sub_isa(op) ||
         tt_error(op, "(C2) no era of the API but the last subtracts a broadcast row; copy it with "
                      "tt.bcast_to_dst and use tt.sfpu.combine sub");
}

static bool verify_binary(MlirOperation op, MlirValue out, MlirAttribute dst) {
  return verify_bcast(op, tt_op_attr(op, "bcast")) && verify_blocks(op, 2, out, dst);
}

bool tt_fpu_add_verify(MlirOperation op) {
  return verify_binary(op, tt_fpu_add_out(op), tt_fpu_add_dst(op));
}
bool tt_fpu_sub_verify(MlirOperation op) {
  return verify_binary(op, tt_fpu_sub_out(op), tt_fpu_sub_dst(op));
}
bool tt_fpu_mul_verify(MlirOperation op) {
  return verify_binary(op, tt_fpu_mul_out(op), tt_fpu_mul_dst(op));
}
bool tt_fpu_mul_add_verify(MlirOperation op) {
  return verify_blocks(op, 2, tt_fpu_mul_add_out(op), tt_fpu_mul_add_dst(op));
}
bool tt_fpu_mul_sum_verify(MlirOperation op) {
  Sides a = sides(tt_fpu_mul_sum_a(op)), b = sides(tt_fpu_mul_sum_b(op));
  TtReduce reduce = tt_fpu_mul_sum_op(op);
  if (tt_reduce_is_max(reduce))
    return tt_error(op, "(C2) products are summed by sum_row or sum_col, but this is '%s'",
                    tt_reduce_str((int)reduce));
  if (a.rows != b.rows || a.cols != b.cols) return tt_error(op, "(C1) the blocks differ in shape");
  return verify_blocks(op, 2, tt_fpu_mul_sum_out(op), tt_fpu_mul_sum_dst(op));
}
bool tt_fpu_add_sum_verify(MlirOperation op) {
  TtReduce reduce = tt_fpu_add_sum_op(op);
  if (tt_reduce_is_max(reduce))
    return tt_error(op, "(C2) tiles are summed by sum_row or sum_col, but this is '%s'",
                    tt_reduce_str((int)reduce));
  return verify_blocks(op, 1, tt_fpu_add_sum_out(op), tt_fpu_add_sum_dst(op));
}
bool tt_copy_to_dst_verify(MlirOperation op) {
  return verify_blocks(op, 1, tt_copy_to_dst_out(op), tt_copy_to_dst_dst(op));
}

/* A part of `have` tiles from a place on lies inside of `whole`, as far as that is known. */
static bool verify_part(MlirOperation op, MlirValue whole, MlirValue part, MlirValue row,
                        MlirValue col, MlirAttribute dst) {
  if (tt_is_null_value(part)) return verify_dst(op, dst);
  Sides of = sides(whole), have = sides(part);
  int64_t at[2] = {0, 0};
  if (!tt_constant(row, &at[0])) at[0] = 0;
  if (!tt_constant(col, &at[1])) at[1] = 0;
  if (at[0] < 0 || at[1] < 0 || at[0] > of.rows - have.rows || at[1] > of.cols - have.cols)
    return tt_error(op, "(C1) a part of %jdx%jd tiles at (%jd, %jd) is not inside of %jdx%jd",
                    (intmax_t)have.rows, (intmax_t)have.cols, (intmax_t)at[0], (intmax_t)at[1],
                    (intmax_t)of.rows, (intmax_t)of.cols);
  return verify_dst(op, dst);
}

bool tt_part_to_dst_verify(MlirOperation op) {
  return verify_part(op, tt_part_to_dst_a(op), tt_part_to_dst_out(op), tt_part_to_dst_row(op),
                     tt_part_to_dst_col(op), tt_part_to_dst_dst(op));
}
bool tt_inset_to_dst_verify(MlirOperation op) {
  return verify_blocks(op, 1, tt_inset_to_dst_out(op), tt_inset_to_dst_dst(op)) &&
         verify_part(op, tt_inset_to_dst_a(op), tt_inset_to_dst_part(op), tt_inset_to_dst_row(op),
                     tt_inset_to_dst_col(op), tt_inset_to_dst_dst(op));
}

bool tt_bcast_to_dst_verify(MlirOperation op) {
  return verify_blocks(op, 2, tt_bcast_to_dst_out(op), tt_bcast_to_dst_dst(op));
}

bool tt_fpu_reuse_verify(MlirOperation op) {
  return verify_blocks(op, 1, tt_fpu_reuse_out(op), tt_fpu_reuse_dst(op));
}

bool tt_fpu_reduce_verify(MlirOperation op) {
  return verify_blocks(op, 2, tt_fpu_reduce_out(op), tt_fpu_reduce_dst(op));
}

bool tt_fpu_reduce_init_verify(MlirOperation op) {
  TtReduce reduce = tt_fpu_reduce_init_op(op);
  return tt_reduce_is_max(reduce) ||
         tt_error(op, "(C1) a reduction of the engine is max_row or max_col, but this is '%s'",
                  tt_reduce_str((int)reduce));
}

/* (C1) The unpacker's macro counts so many tiles. (C2) The library's form is for bf16. */
static bool verify_maxima(MlirOperation op, MlirValue a, MlirValue scaler, MlirAttribute ct) {
  if (tt_int(ct) < 1 || tt_int(ct) >= TT_MAX_BLOCK_OF_MAXIMA)
    return tt_error(op, "(C1) ct is positive and less than %d, but this is %jd",
                    TT_MAX_BLOCK_OF_MAXIMA, (intmax_t)tt_int(ct));
  return (mlirTypeIsABF16(tt_cb_type_element_type(mlirValueGetType(a))) &&
          mlirTypeIsABF16(tt_cb_type_element_type(mlirValueGetType(scaler)))) ||
         tt_error(op, "(C2) rows of blocks are reduced in bf16 alone; take "
                      "metalium.reduce_tile for other formats");
}
bool metalium_reduce_block_max_row_verify(MlirOperation op) {
  return verify_maxima(op, metalium_reduce_block_max_row_a(op),
                       metalium_reduce_block_max_row_scaler(op),
                       metalium_reduce_block_max_row_ct(op));
}
bool metalium_reduce_block_max_row_init_verify(MlirOperation op) {
  return verify_maxima(op, metalium_reduce_block_max_row_init_a(op),
                       metalium_reduce_block_max_row_init_scaler(op),
                       metalium_reduce_block_max_row_init_ct(op));
}

bool tt_sfpu_unary_verify(MlirOperation op) {
  const TtSfpuFunction *f = &tt_sfpu_functions[tt_sfpu_unary_op(op)];
  if (!f->in_place)
    return tt_error(op, "(C2) '%s' is a function of %d tiles; use tt.sfpu.combine", f->name,
                    f->inputs);
  if (f->scalar == mlirAttributeIsNull(tt_sfpu_unary_scalar(op)))
    return tt_error(op, "(C4) '%s' takes %s scalar", f->name, f->scalar ? "a" : "no");
  return verify_dst(op, tt_sfpu_unary_dst(op));
}

bool tt_sfpu_scalar_verify(MlirOperation op) {
  const TtSfpuFunction *f = &tt_sfpu_functions[tt_sfpu_scalar_op(op)];
  MlirAttribute steps = tt_sfpu_scalar_steps(op), limit = tt_sfpu_scalar_limit(op);
  bool index = mlirTypeIsAIndex(mlirValueGetType(tt_sfpu_scalar_value(op)));
  if (!f->scalar) return tt_error(op, "(C2) '%s' takes no scalar", f->name);
  if (!index && (!mlirAttributeIsNull(steps) || !mlirAttributeIsNull(limit)))
    return tt_error(op, "(C4) steps and limit go with an index");
  if (!mlirAttributeIsNull(steps) && mlirDenseArrayGetNumElements(steps) != 2)
    return tt_error(op, "(C4) there is a step for rows and one for columns of tiles");
  if (!mlirAttributeIsNull(limit) && tt_int(limit) < 1)
    return tt_error(op, "(C4) the limit is positive, but this is %jd", (intmax_t)tt_int(limit));
  return verify_dst(op, tt_sfpu_scalar_dst(op));
}

bool tt_sfpu_combine_verify(MlirOperation op) {
  const TtSfpuFunction *f = &tt_sfpu_functions[tt_sfpu_combine_op(op)];
  MlirAttribute sources = tt_sfpu_combine_sources(op);
  intptr_t n = mlirDenseArrayGetNumElements(sources);
  if (n != f->inputs || f->in_place)
    return tt_error(op, "(C2) '%s' is a function of %d tile(s)%s, but this names %jd", f->name,
                    f->inputs, f->in_place ? " in place; use tt.sfpu.unary" : "", (intmax_t)n);
  for (intptr_t i = 0; i < n; ++i)
    if (mlirDenseI64ArrayGetElement(sources, i) < 0)
      return tt_error(op, "(C3) DST tile %jd is negative",
                      (intmax_t)mlirDenseI64ArrayGetElement(sources, i));
  return verify_dst(op, tt_sfpu_combine_dst(op));
}

bool tt_pack_to_cb_verify(MlirOperation op) {
  MlirAttribute tiles = tt_pack_to_cb_tiles(op);
  int64_t block = tt_cb_tiles(mlirValueGetType(tt_pack_to_cb_out(op)));
  if (!mlirAttributeIsNull(tiles) && (tt_int(tiles) < 1 || tt_int(tiles) > block))
    return tt_error(op, "(C1) %jd tiles, of a block of %jd", (intmax_t)tt_int(tiles),
                    (intmax_t)block);
  return verify_dst(op, tt_pack_to_cb_dst(op));
}

/*===- Protocol -------------------------------------------------------------===*/

bool tt_engine_init_common_verify(MlirOperation op) {
  TtStartup kind = tt_engine_init_common_kind(op);
  bool copy = kind == TT_STARTUP_COPY;
  intptr_t inputs = tt_engine_init_common_num_inputs(op);
  if (inputs == (copy ? 1 : 2)) return true;
  return tt_error(op, "(C2) '%s' has %d input(s), but this has %jd", tt_startup_str((int)kind),
                  copy ? 1 : 2, (intmax_t)inputs);
}
