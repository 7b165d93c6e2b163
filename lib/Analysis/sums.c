/*===- sums.c - where the sum of a product is, and how long -----------------------------------===*/

#include "Analysis/sums.h"

#include "Dialect/op_info.h"

bool tt_is_block_compute(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  return info->level == TT_LEVEL_PROTOCOL_FREE && info->role == TT_ROLE_COMPUTE;
}

/* A block op that computes in DST. */
static bool computes(MlirOperation op) { return tt_op_info(op)->does == TT_ACT_COMPUTE; }

/* The pack that ends what follows a product in its section: tt.pack_to_cb, or an op that
 * names its target. */
static MlirOperation end_of_section(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = tt_next(op))
    if (!tt_is_null_value(tt_traffic(op).out) && tt_op_info(op)->role == TT_ROLE_COMPUTE) return op;
  return op;
}

MlirOperation tt_pack_after(MlirOperation mma) {
  MlirOperation null = {NULL};
  int64_t dst = tt_int(tt_mm_mma_dst(mma));
  for (MlirOperation p = mma; !tt_op_is(p, "func.func"); p = tt_parent(p))
    for (MlirOperation next = tt_next(p); !mlirOperationIsNull(next); next = tt_next(next)) {
      if (tt_pack_to_cb_isa(next) && tt_int(tt_pack_to_cb_dst(next)) == dst) return next;
      if (!computes(next) || tt_mm_mma_isa(next)) continue;
      /* It goes on with what is in DST, or replaces it. */
      return tt_uses_dst_of(next, mma) ? end_of_section(next) : null;
    }
  return null;
}

bool tt_works_in_place(MlirOperation op) { return tt_changes_dst(op); }

MlirAttribute tt_dst_sources(MlirOperation op) {
  const char *name = tt_op_info(op)->dst_sources;
  return name ? tt_op_attr(op, name) : mlirAttributeGetNull();
}

bool tt_uses_dst_of(MlirOperation op, MlirOperation mma) {
  int64_t dst = tt_int(tt_mm_mma_dst(mma));
  for (; !mlirOperationIsNull(op); op = tt_next(op)) {
    MlirAttribute sources = tt_dst_sources(op);
    for (intptr_t i = 0; !mlirAttributeIsNull(sources) && i < mlirDenseArrayGetNumElements(sources);
         ++i)
      if (mlirDenseI64ArrayGetElement(sources, i) == dst) return true;
    if (tt_works_in_place(op) && tt_op_dst(op) == dst) return true;
    if (tt_is_block_compute(op) && !tt_is_null_value(tt_traffic(op).out)) return false;
  }
  return false;
}

static bool fits(MlirOperation mma, int64_t capacity) {
  TtProductShape s = tt_product_shape(mma);
  return tt_int(tt_mm_mma_dst(mma)) + s.r * s.c <= capacity;
}

/* The outermost loop of a product's sum, or the product itself; null where `pack` is null. */
static MlirOperation sum_of(MlirOperation mma, MlirOperation pack) {
  if (mlirOperationIsNull(pack)) return pack;
  return tt_ancestor_in(mlirOperationGetBlock(pack), mma);
}

bool tt_must_spill(TtArena *arena, MlirOperation mma, int64_t capacity) {
  if (!fits(mma, capacity)) return true;
  if (!tt_is_null_value(tt_mm_mma_out(mma))) return false;
  MlirOperation loop = sum_of(mma, tt_pack_after(mma));
  if (mlirOperationIsNull(loop)) return false;
  TtOps ops = tt_collect(arena, loop, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!computes(op)) continue;
    if (!tt_mm_mma_isa(op) || !tt_is_null_value(tt_mm_mma_out(op)) || !fits(op, capacity))
      return true;
    MlirOperation other = sum_of(op, tt_pack_after(op));
    if (mlirOperationIsNull(other) || !tt_op_eq(other, loop)) return true;
  }
  return false;
}
