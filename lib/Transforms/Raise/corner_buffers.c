/*===- corner_buffers.c - buffers as large as what is taken of them -----------------------------===
 *
 *   before  %b = memref.alloc() : memref<64x64xbf16>          all ops take %b[0, 0] [5, %w]
 *   after   %b = memref.alloc() : memref<5x64xbf16>           %b[0, 0] [5, %w], which is whole
 *                                                             in the dimension of constant size
 *
 * Leaves buffers that an op takes whole, or from another place on.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/corner_buffers.h"

#include "Analysis/kernel.h"

enum { MATRIX = 2 };

static int64_t entry(MlirOperation view, const char *name, intptr_t d) {
  return mlirDenseI64ArrayGetElement(tt_op_attr(view, name), d);
}

/* Whether `view` is a corner, of all dimensions, that no other view is made of; `most` grows to
 * its sizes. */
static bool is_corner(MlirOperation view, MlirType type, int64_t most[MATRIX]) {
  MlirValue result = mlirOperationGetResult(view, 0);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (mlirShapedTypeGetRank(mlirValueGetType(result)) != rank) return false;
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t size = entry(view, "static_sizes", d), all = mlirShapedTypeGetDimSize(type, d);
    if (entry(view, "static_offsets", d) != 0 || entry(view, "static_strides", d) != 1)
      return false;
    if (size == INT64_MIN) size = all;
    if (size > most[d]) most[d] = size;
  }
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!tt_is_linalg(op) && !tt_op_is(op, "memref.copy")) return false;
  }
  return true;
}

/* The same view of the smaller buffer: its rows may be shorter. */
static void set_strides(MlirOperation view, intptr_t rank, const int64_t shape[MATRIX]) {
  MlirValue result = mlirOperationGetResult(view, 0);
  MlirType type = mlirValueGetType(result);
  int64_t sizes[MATRIX], strides[MATRIX] = {rank == MATRIX ? shape[1] : 1, 1};
  for (intptr_t d = 0; d < rank; ++d) sizes[d] = mlirShapedTypeGetDimSize(type, d);
  mlirValueSetType(result, mlirMemRefTypeGet(
                               mlirShapedTypeGetElementType(type), rank, sizes,
                               mlirStridedLayoutAttrGet(mlirTypeGetContext(type), 0, rank, strides),
                               mlirMemRefTypeGetMemorySpace(type)));
}

static void shrink(MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(buffer);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t most[MATRIX] = {0, 0};
  bool smaller = false;
  if (rank < 1 || rank > MATRIX || !mlirShapedTypeHasStaticShape(type) ||
      mlirOpOperandIsNull(mlirValueGetFirstUse(buffer)))
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (!tt_op_is(view, "memref.subview") || !is_corner(view, type, most)) return;
  }
  for (intptr_t d = 0; d < rank; ++d) smaller |= most[d] < mlirShapedTypeGetDimSize(type, d);
  if (!smaller) return;
  mlirValueSetType(buffer, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank,
                                                       most, mlirMemRefTypeGetMemorySpace(type)));
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    set_strides(mlirOpOperandGetOwner(use), rank, most);
}

void tt_shrink_corner_buffers(TtArena *arena, MlirOperation kernel) {
  TtOps allocs = tt_collect(arena, kernel, "memref.alloc");
  for (intptr_t i = 0; i < allocs.n; ++i) shrink(allocs.data[i]);
}
