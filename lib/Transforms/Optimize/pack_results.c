/*===- pack_results.c - products whose result ops go on with in DST -----------------------------===
 *
 *   before  for %k { … tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0 }              (1 x 1 tile)
 *           tt.bcast_to_dst %bias bcast rows onto %zero, dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0 …
 *   after   for %k { … tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0 }
 *           tt.pack_to_cb dst = 0 -> %result; tt.copy_to_dst %result, dst = 0
 *           tt.bcast_to_dst %bias bcast rows onto %zero, dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0 …
 *
 * Ops name tiles of DST, and a result of several tiles would reach those. Behind a copy they are a
 * group of their own, which is lowered tile by tile. --tt-finish-products has them find the result
 * in DST again where that is faster.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/pack_results.h"

#include "Analysis/kernel.h"
#include "Dialect/op_info.h"
#include "Transforms/Optimize/core_groups.h"

static bool works_in_dst(MlirOperation op) {
  TtAct does = tt_op_info(op)->does;
  return tt_op_info(op)->level == TT_LEVEL_PROTOCOL_FREE &&
         (does == TT_ACT_COMPUTE || does == TT_ACT_PACK_BLOCK);
}

/* What works in DST next, in the same block. */
static MlirOperation next_at_work(MlirOperation op) {
  for (op = tt_next(op); !mlirOperationIsNull(op) && !works_in_dst(op);) op = tt_next(op);
  return op;
}

/* The product, or the loop that it is summed in, behind which its result is taken. */
static MlirOperation sum_of(MlirOperation mma, MlirOperation func) {
  MlirOperation op = mma;
  while (mlirOperationIsNull(next_at_work(op)) && !tt_op_eq(tt_parent(op), func))
    op = tt_parent(op);
  return op;
}

/* In the format that has all bits of DST. */
static MlirType result_type(MlirOperation func, MlirOperation mma) {
  MlirContext context = mlirOperationGetContext(func);
  MlirType a = tt_cb_type_element_type(mlirValueGetType(tt_mm_mma_a(mma)));
  bool wide = tt_dst_is_32bit(func), turned = !mlirAttributeIsNull(tt_mm_mma_transpose_b(mma));
  if (mlirTypeIsAInteger(a) || (!wide && !mlirTypeIsABF16(a))) return (MlirType){NULL};
  MlirType b = mlirValueGetType(tt_mm_mma_b(mma));
  int64_t shape[2] = {tt_cb_rows(mlirValueGetType(tt_mm_mma_a(mma))),
                      turned ? tt_cb_rows(b) : tt_cb_cols(b)};
  return tt_cb_type_get(context, 2, shape,
                        wide ? mlirF32TypeGet(context) : mlirBF16TypeGet(context));
}

static void pack_result(TtArena *arena, MlirOperation func, MlirOperation sum, MlirType type,
                        TtOps *added) {
  MlirLocation loc = mlirOperationGetLocation(sum);
  MlirAttribute no = {NULL};
  MlirValue null = {NULL};
  const char *name = tt_arena_printf(arena, "result%jd", (intmax_t)(added->n / 3));
  MlirValue result = tt_new_blocks(func, loc, name, type, 1);
  TtBuilder b = tt_builder_after(sum);
  tt_ops_add(arena, added, tt_defining_op(result));
  tt_ops_add(arena, added, tt_pack_to_cb_create(&b, loc, 0, no, result, null));
  tt_ops_add(arena, added, tt_copy_to_dst_create(&b, loc, result, no, no, 0, null));
}

/* The op that goes on with a product's result in DST; null where it is packed. */
static MlirOperation goes_on(MlirOperation mma, MlirOperation func) {
  if (!tt_is_null_value(tt_mm_mma_out(mma)) || tt_op_dst(mma) != 0) return (MlirOperation){NULL};
  MlirOperation next = next_at_work(sum_of(mma, func));
  bool is_packed = mlirOperationIsNull(next) || tt_pack_to_cb_isa(next) || tt_mm_mma_isa(next);
  return is_packed ? (MlirOperation){NULL} : next;
}

bool tt_has_results_in_dst(TtArena *arena, MlirOperation func) {
  TtOps products = tt_collect(arena, func, "tt.mm.mma");
  for (intptr_t i = 0; i < products.n; ++i)
    if (!mlirOperationIsNull(goes_on(products.data[i], func))) return true;
  return false;
}

bool tt_pack_results(TtArena *arena, MlirOperation func, TtOps *added) {
  TtOps products = tt_collect(arena, func, "tt.mm.mma");
  for (intptr_t i = 0; i < products.n; ++i) {
    MlirOperation mma = products.data[i];
    if (mlirOperationIsNull(goes_on(mma, func))) continue;
    MlirType type = result_type(func, mma);
    if (mlirTypeIsNull(type)) return tt_forget_results(added), false;
    pack_result(arena, func, sum_of(mma, func), type, added);
  }
  return true;
}

void tt_forget_results(const TtOps *added) {
  for (intptr_t i = added->n; i-- > 0;) mlirOperationDestroy(added->data[i]);
}
