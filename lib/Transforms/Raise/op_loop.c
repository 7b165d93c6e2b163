/*===- op_loop.c - some steps of a loop of a structured op --------------------------------------===
 *
 *   linalg.generic (sum over j) ins(%x : 32x512) outs(%sum : 32)
 *
 * with 128 steps of loop j from %at on is
 *
 *   linalg.generic (sum over j) ins(subview %x[0, %at] [32, 128]) outs(%sum : 32)
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/op_loop.h"

#include "Transforms/Raise/slices.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"

static MlirAffineMap map_of(MlirAttribute maps, intptr_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

intptr_t tt_num_op_loops(MlirOperation op) {
  if (!tt_is_linalg(op)) return 0;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (mlirAttributeIsNull(maps) || n == 0 || n > TT_MOST_OPERANDS ||
      mlirArrayAttrGetNumElements(maps) != n || mlirOperationGetNumResults(op) > 0)
    return 0;
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (tt_is_memref(type) && mlirShapedTypeGetRank(type) > TT_MAX_RANK) return 0;
  }
  return mlirAffineMapGetNumDims(map_of(maps, 0));
}

bool tt_op_reduces(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  intptr_t out = tt_linalg_num_inputs(op);
  if (mlirAttributeIsNull(maps) || out >= mlirArrayAttrGetNumElements(maps)) return false;
  MlirAffineMap map = map_of(maps, out);
  return mlirAffineMapGetNumResults(map) < mlirAffineMapGetNumDims(map);
}

/* The dimension of operand `i` that goes along the loop. */
static bool find_dim(TtOpLoop *l, MlirAffineMap map, intptr_t i) {
  l->along[i] = -1;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d) {
    MlirAffineExpr e = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsFunctionOfDim(e, l->loop)) continue;
    if (!mlirAffineExprIsADim(e) || l->along[i] >= 0) return false;
    l->along[i] = d;
  }
  return true;
}

bool tt_op_loop_of(MlirOperation op, intptr_t loop, TtOpLoop *out) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  *out = (TtOpLoop){.op = op, .loop = loop, .n = mlirOperationGetNumOperands(op)};
  for (intptr_t i = 0; i < out->n; ++i)
    if (!find_dim(out, map_of(maps, i), i)) return false;
  return true;
}

MlirValue tt_part_along(TtBuilder *b, MlirLocation loc, MlirValue operand, intptr_t d, MlirValue at,
                        int64_t size, MlirValue open) {
  MlirType type = mlirValueGetType(operand);
  MlirValue offsets[TT_MAX_RANK], sizes[TT_MAX_RANK];
  int64_t shape[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    offsets[i] = i == d ? at : (MlirValue){NULL};
    sizes[i] = i == d ? open : (MlirValue){NULL};
    shape[i] = i == d ? size : mlirShapedTypeGetDimSize(type, i);
    keeps[i] = true;
  }
  return tt_open_subview(b, loc, operand, offsets, shape, sizes, keeps);
}

static void move_indices(TtArena *arena, const TtOpLoop *l, MlirOperation op, MlirValue at) {
  TtOps indices = tt_collect(arena, op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i) {
    MlirOperation index = indices.data[i];
    if (tt_int(tt_op_attr(index, "dim")) != l->loop) continue;
    TtBuilder b = tt_builder_after(index);
    MlirValue value = mlirOperationGetResult(index, 0),
              moved = tt_add(&b, mlirOperationGetLocation(index), value, at);
    if (tt_value_eq(moved, value)) continue;
    mlirValueReplaceAllUsesExcept(value, moved, 1, (MlirOperation[]){tt_defining_op(moved)});
  }
}

void tt_take_steps(TtArena *arena, const TtOpLoop *l, MlirOperation op, MlirValue at, int64_t size,
                   MlirValue open) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < l->n; ++i)
    if (l->along[i] >= 0)
      mlirOperationSetOperand(
          op, i,
          tt_part_along(&b, loc, mlirOperationGetOperand(op, i), l->along[i], at, size, open));
  move_indices(arena, l, op, at);
}
