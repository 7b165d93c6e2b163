/*===- tile_open_dims.c - --tt-tile-open-dims -----------------------------------------------===
 *
 * Ops over a dimension of tensors whose size is known only when the kernel runs go over it in
 * blocks, since buffers of a core are of constant size.
 *
 *   before  %n = memref.dim %X, 1
 *           linalg.generic (sum over j) ins(%X[%i, 0] [32, %n]) outs(%sum : 32)
 *   after   scf.for %j = 0 to %n step 128 {
 *             %left = min(%n - %j, 128)
 *             linalg.generic (sum over j) ins(%X[%i, %j] [32, %left]) outs(%sum : 32)
 *           }
 *
 * Elements are taken in the same order. Done where all operands that have the dimension are views
 * of tensors; a buffer of the core of open size stays, and is refused where it is made.
 *
 * Requires raised loops and elements. Leaves ops whose sizes have a constant bound.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"

/* Of a block: four tiles, of which buffers hold two, take little of L1 and hide what reads wait. */
enum { BLOCK = 128, MAX_OPERANDS = 16 };

/* A loop of an op, and along which dimension of each operand it goes; -1 for none. */
typedef struct OpenLoop {
  MlirOperation op;
  intptr_t loop, n;
  intptr_t along[MAX_OPERANDS];
  MlirValue size; /* null where it is constant, or has a constant bound */
} OpenLoop;

/* The dimension of operand `i` that goes along the loop. False where an index is another function
 * of it. */
static bool find_dim(OpenLoop *o, MlirAffineMap map, intptr_t i) {
  o->along[i] = -1;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d) {
    MlirAffineExpr e = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsFunctionOfDim(e, o->loop)) continue;
    if (!mlirAffineExprIsADim(e) || o->along[i] >= 0) return false;
    o->along[i] = d;
  }
  return true;
}

/* Whether the loop goes along open dimensions of tensors, and nothing else. */
static bool is_open(OpenLoop *o) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(o->op);
  o->size = (MlirValue){NULL};
  for (intptr_t i = 0; i < o->n; ++i) {
    MlirValue operand = mlirOperationGetOperand(o->op, i);
    if (!find_dim(o, mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i)), i)) return false;
    if (o->along[i] < 0) continue;
    if (!mlirShapedTypeIsDynamicDim(mlirValueGetType(operand), o->along[i]) ||
        !tt_is_part_of_tensor(operand))
      return false;
    TtBuilder b = tt_builder_before(o->op);
    int64_t constant;
    MlirValue size = tt_dynamic_size(&b, mlirOperationGetLocation(o->op), operand, o->along[i]);
    if (tt_constant(size, &constant) || tt_index_bound(size) > 0) return false;
    if (tt_is_null_value(o->size)) o->size = size;
  }
  return !tt_is_null_value(o->size);
}

/* The part of an operand from %at on, of `left` elements along dimension `d`. */
static MlirValue part_of(TtBuilder *b, MlirLocation loc, MlirValue operand, intptr_t d,
                         MlirValue at, MlirValue left) {
  MlirType type = mlirValueGetType(operand);
  MlirValue offsets[TT_MAX_RANK], sizes[TT_MAX_RANK];
  int64_t shape[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    offsets[i] = i == d ? at : (MlirValue){NULL};
    sizes[i] = i == d ? left : (MlirValue){NULL};
    shape[i] = mlirShapedTypeGetDimSize(type, i);
    keeps[i] = true;
  }
  return tt_open_subview(b, loc, operand, offsets, shape, sizes, keeps);
}

/* What a body takes for the index of the loop is the place in the whole. */
static void move_indices(TtArena *arena, const OpenLoop *o, MlirOperation op, MlirValue at) {
  TtOps indices = tt_collect(arena, op, "linalg.index");
  for (intptr_t i = 0; i < indices.n; ++i) {
    MlirOperation index = indices.data[i];
    if (tt_int(tt_op_attr(index, "dim")) != o->loop) continue;
    TtBuilder b = tt_builder_after(index);
    MlirValue value = mlirOperationGetResult(index, 0),
              moved = tt_add(&b, mlirOperationGetLocation(index), value, at);
    mlirValueReplaceAllUsesExcept(value, moved, 1, (MlirOperation[]){tt_defining_op(moved)});
  }
}

static void tile(TtArena *arena, const OpenLoop *o) {
  MlirLocation loc = mlirOperationGetLocation(o->op);
  TtBuilder b = tt_builder_before(o->op);
  MlirOperation loop =
      tt_for(&b, loc, tt_index(&b, loc, 0), o->size, tt_index(&b, loc, BLOCK), "from");
  MlirValue at = tt_for_iv(loop);
  b = tt_builder_at_terminator(tt_for_body(loop));
  MlirValue left = tt_min(&b, loc, tt_sub(&b, loc, o->size, at), tt_index(&b, loc, BLOCK));
  for (intptr_t i = 0; i < o->n; ++i)
    if (o->along[i] >= 0)
      mlirOperationSetOperand(
          o->op, i, part_of(&b, loc, mlirOperationGetOperand(o->op, i), o->along[i], at, left));
  mlirOperationMoveBefore(o->op, mlirBlockGetTerminator(tt_for_body(loop)));
  move_indices(arena, o, o->op, at);
}

static bool has_maps(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  return !mlirAttributeIsNull(maps) && n > 0 && n <= MAX_OPERANDS &&
         mlirArrayAttrGetNumElements(maps) == n && mlirOperationGetNumResults(op) == 0;
}

static bool ranks_are_small(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (tt_is_memref(type) && mlirShapedTypeGetRank(type) > TT_MAX_RANK) return false;
  }
  return true;
}

static bool tile_open_dims(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    OpenLoop o = {.op = ops.data[i], .n = mlirOperationGetNumOperands(ops.data[i])};
    if (!tt_is_linalg(o.op) || !has_maps(o.op) || !ranks_are_small(o.op)) continue;
    MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(o.op);
    intptr_t loops =
        mlirAffineMapGetNumDims(mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0)));
    for (o.loop = 0; o.loop < loops; ++o.loop)
      if (is_open(&o)) tile(arena, &o);
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_tile_open_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, tile_open_dims);
}
