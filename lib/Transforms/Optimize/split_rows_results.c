/*===- split_rows_results.c - results a row of rows on several cores ----------------------------===
 *
 *   before  tt.copy_to_dst %rstd transpose, dst = 0 -> %o        tt.write_from_cb %o, %R[%row]
 *   after   scf.if %part == 0 {
 *             tt.copy_to_dst %rstd transpose, dst = 0 -> %o      tt.write_from_cb %o, %R[%row]
 *           }
 *
 * All cores of a row come to know the same of it, and the first of them writes it: the section that
 * computes the tile, and the write of it, which follows.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/split_rows.h"

#include "Dialect/op_info.h"
#include "Dialect/shapes.h"

static bool is_index_arithmetic(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 0 && tt_op_info(op)->level == TT_LEVEL_OTHER;
}

/* The first op of the section that packs at `last`. */
static MlirOperation start_of(MlirOperation last) {
  MlirOperation start = last, null = {NULL};
  MlirBlock block = mlirOperationGetBlock(last);
  for (MlirOperation op = mlirBlockGetFirstOperation(block), first = null; !mlirOperationIsNull(op);
       op = tt_next(op)) {
    bool computes = tt_op_info(op)->does == TT_ACT_COMPUTE;
    if (computes && mlirOperationIsNull(first)) first = op;
    if (tt_op_eq(op, last)) return mlirOperationIsNull(first) ? start : first;
    if (!tt_is_null_value(tt_op_fills(op))) first = null;
  }
  return start;
}

/* The op that fills `cb`, which `write` alone takes from it; null where there are others. */
static MlirOperation only_filler(MlirValue cb, MlirOperation write) {
  MlirOperation filler = {NULL}, null = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_eq(op, write)) continue;
    if (!mlirOperationIsNull(filler) || tt_is_null_value(tt_op_fills(op)) ||
        !tt_value_eq(tt_op_fills(op), cb))
      return null;
    filler = op;
  }
  return filler;
}

const char *tt_why_no_row_result(const TtRows *r, MlirOperation write) {
  MlirOperation last = only_filler(tt_write_from_cb_cb(write), write);
  if (mlirOperationIsNull(last) ||
      !mlirBlockEqual(mlirOperationGetBlock(last), mlirOperationGetBlock(write)))
    return "it writes what is no whole row, and is taken besides";
  for (MlirOperation op = start_of(last);; op = tt_next(op)) {
    if (mlirOperationIsNull(op)) return "it writes what is no whole row before it is there";
    if (tt_op_eq(op, write)) return NULL;
    const TtOpInfo *info = tt_op_info(op);
    if (is_index_arithmetic(op) || tt_alloc_cb_isa(op)) continue;
    if (info->does != TT_ACT_COMPUTE) return "other ops stand before the write of what is no row";
    for (int i = 0; i < info->num_reads; ++i)
      if (tt_is_row(r, tt_op_reads(op, i))) return "what it writes is a reduction of a row itself";
  }
}

void tt_write_by_first(const TtRows *r, MlirValue part) {
  for (intptr_t i = 0; i < r->results.n; ++i) {
    MlirOperation write = r->results.data[i],
                  op = start_of(only_filler(tt_write_from_cb_cb(write), write));
    MlirLocation loc = mlirOperationGetLocation(write);
    TtBuilder b = tt_builder_before(write);
    MlirOperation branch = tt_if(&b, loc, tt_less(&b, loc, part, tt_index(&b, loc, 1)));
    MlirOperation end = mlirBlockGetTerminator(tt_body(branch));
    for (MlirOperation next; !tt_op_eq(op, branch); op = next) {
      next = tt_next(op);
      if (tt_op_info(op)->does == TT_ACT_COMPUTE) mlirOperationMoveBefore(op, end);
    }
    mlirOperationMoveBefore(write, end);
  }
}
