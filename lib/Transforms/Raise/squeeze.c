/*===- squeeze.c - buffers of the core without dimensions of one element ------------------------===
 *
 *   %s = memref.alloc() : memref<1x64x1x64xf32>
 * = %n = memref.alloc() : memref<64x64xf32>
 *   %s = memref.expand_shape %n [[0, 1, 2], [3]] : memref<64x64xf32> into memref<1x64x1x64xf32>
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"

/* Each group has one dimension that is kept, those of one element before it, and the last one
 * those behind. */
static MlirAttribute groups_of(MlirContext context, MlirType type, intptr_t kept) {
  MlirAttribute groups[TT_MAX_RANK], group[TT_MAX_RANK];
  intptr_t n = 0, members = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    group[members++] = tt_i64_attr(context, d);
    bool last = n + 1 == kept;
    if (mlirShapedTypeGetDimSize(type, d) == 1 || last) continue;
    groups[n++] = mlirArrayAttrGet(context, members, group), members = 0;
  }
  if (members > 0) groups[n++] = mlirArrayAttrGet(context, members, group);
  return mlirArrayAttrGet(context, n, groups);
}

static void squeeze(MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(buffer);
  int64_t shape[TT_MAX_RANK], all[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type), kept = 0;
  if (rank < 3 || rank > TT_MAX_RANK || !mlirShapedTypeHasStaticShape(type)) return;
  for (intptr_t d = 0; d < rank; ++d) {
    all[d] = mlirShapedTypeGetDimSize(type, d);
    if (all[d] != 1) shape[kept++] = all[d];
  }
  if (kept == rank || kept == 0) return;
  TtBuilder b = tt_builder_before(alloc);
  MlirLocation loc = mlirOperationGetLocation(alloc);
  MlirValue own =
      tt_static_alloc(&b, loc,
                      mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), kept, shape,
                                                  mlirMemRefTypeGetMemorySpace(type)));
  TtOpState s = tt_op_state("memref.expand_shape", loc);
  tt_op_state_operand(&s, own);
  tt_op_state_attr(&s, b.context, "reassociation", groups_of(b.context, type, kept));
  tt_op_state_attr(&s, b.context, "static_output_shape",
                   mlirDenseI64ArrayGet(b.context, rank, all));
  tt_op_state_result(&s, type);
  tt_replace(alloc, mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
}

void tt_squeeze_buffers(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "memref.alloc") || tt_op_is(ops.data[i], "memref.alloca"))
      squeeze(ops.data[i]);
}
