/*===- moved_views.c - reshapes that move elements between tiles ------------------------------===
 *
 *   %v = memref.expand_shape %t [[0, 1], [2]] : memref<4096x4xf32> into memref<64x64x4xf32>
 *   scf.forall … { memref.subview %v[%i, %j, %h] [32, 32, 1] … }
 *
 * A block of %v is no box of %t: its rows stand 64 rows of %t apart, in as many tiles. The host
 * function makes another tensor of it, once, before the first grid that reads it.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/moved_views.h"

#include "Analysis/kernel.h"
#include "Target/formats.h"
#include "Transforms/Raise/slices.h"

/* Dimensions of more than one element among those of a group, and how many elements those but the
 * first of them have. */
static intptr_t longer_dims(MlirAttribute group, MlirType type, int64_t *inner) {
  intptr_t n = 0;
  int64_t all = 1, outermost = 1;
  for (intptr_t i = mlirArrayAttrGetNumElements(group); i-- > 0;) {
    int64_t size =
        mlirShapedTypeGetDimSize(type, (intptr_t)tt_int(mlirArrayAttrGetElement(group, i)));
    if (size == 1) continue;
    all *= outermost, outermost = size, ++n;
  }
  *inner = all;
  return n;
}

/* Whether rows or columns are cut inside of tiles. */
static bool cuts_tiles(MlirAttribute group, MlirType type, int64_t inner) {
  intptr_t n = mlirArrayAttrGetNumElements(group);
  intptr_t last = (intptr_t)tt_int(mlirArrayAttrGetElement(group, n - 1));
  return last >= mlirShapedTypeGetRank(type) - 2 && inner % TT_TILE != 0;
}

/* Whether a user takes blocks of an expanded tensor that are none of the tensor. What is left of
 * subviews, once those that are blocks of it were folded, is. */
static bool is_cut(MlirValue view, MlirAttribute group) {
  int64_t inner;
  MlirType type = mlirValueGetType(view);
  if (longer_dims(group, type, &inner) < 2) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(view); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (tt_op_is(mlirOpOperandGetOwner(use), "memref.subview") || cuts_tiles(group, type, inner))
      return true;
  return false;
}

/* Whether a subview takes a part of dimension `d`, which several were collapsed to. */
static bool is_taken_in_parts(MlirValue view, intptr_t d) {
  MlirType type = mlirValueGetType(view);
  for (MlirOpOperand use = mlirValueGetFirstUse(view); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tt_op_is(user, "memref.subview") &&
        mlirDenseI64ArrayGetElement(tt_op_attr(user, "static_sizes"), d) !=
            mlirShapedTypeGetDimSize(type, d))
      return true;
  }
  return false;
}

static bool is_reshape(MlirOperation op) {
  return tt_op_is(op, "memref.expand_shape") || tt_op_is(op, "memref.collapse_shape");
}

static bool moves_elements(MlirOperation view) {
  if (!is_reshape(view)) return false;
  MlirValue from = mlirOperationGetOperand(view, 0), to = mlirOperationGetResult(view, 0);
  if (!mlirShapedTypeHasStaticShape(mlirValueGetType(from))) return false;
  MlirAttribute groups = tt_op_attr(view, "reassociation");
  bool expands = tt_op_is(view, "memref.expand_shape");
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    int64_t inner;
    if (expands
            ? is_cut(to, group)
            : longer_dims(group, mlirValueGetType(from), &inner) > 1 && is_taken_in_parts(to, g))
      return true;
  }
  return false;
}

static bool has_reshapes(MlirOperation func) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (moves_elements(op)) return true;
  return false;
}

/*===- Who writes ---------------------------------------------------------------------------===*/

static bool only_reads(MlirOperation op, intptr_t operand) {
  if (tt_is_linalg(op)) return operand < tt_linalg_num_inputs(op);
  if (tt_op_is(op, "memref.copy")) return operand == 0;
  return tt_op_is(op, "memref.load") || tt_op_is(op, "memref.dim") ||
         tt_op_is(op, "memref.subview") || tt_op_is(op, "memref.cast") ||
         tt_op_is(op, "memref.expand_shape") || tt_op_is(op, "memref.collapse_shape") ||
         tt_op_is(op, "memref.transpose") || tt_op_is(op, "affine.load");
}

/* Whether `value` is `tensor`, or a view of it. */
static bool is_of(MlirValue value, MlirValue tensor) {
  while (!tt_value_eq(value, tensor)) {
    MlirOperation op = tt_defining_op(value);
    if (mlirOperationIsNull(op) || mlirOperationGetNumOperands(op) == 0 ||
        !tt_is_memref(mlirValueGetType(mlirOperationGetOperand(op, 0))))
      return false;
    value = mlirOperationGetOperand(op, 0);
  }
  return true;
}

/* Whether a grid uses a tensor, or only whether it writes it. */
static bool uses(TtArena *arena, MlirOperation grid, MlirValue tensor, bool writes) {
  TtOps ops = tt_collect(arena, grid, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(ops.data[i]); ++k) {
      MlirValue operand = mlirOperationGetOperand(ops.data[i], k);
      if (tt_is_memref(mlirValueGetType(operand)) && is_of(operand, tensor) &&
          !(writes && only_reads(ops.data[i], k)))
        return true;
    }
  return false;
}

static bool is_complete(TtArena *arena, MlirOperation view, TtOps grids) {
  MlirValue to = mlirOperationGetResult(view, 0), from = mlirOperationGetOperand(view, 0);
  bool read = false;
  for (intptr_t i = 0; i < grids.n; ++i) {
    read |= uses(arena, grids.data[i], to, false);
    if (uses(arena, grids.data[i], to, true)) return false;
    if (read && uses(arena, grids.data[i], tt_view_root(from), true)) return false;
  }
  return read;
}

/* Whether a buffer has anything that a view of it could take. */
static bool is_written(TtArena *arena, MlirValue buffer, TtOps grids) {
  for (intptr_t i = 0; i < grids.n; ++i)
    if (uses(arena, grids.data[i], buffer, true)) return true;
  return false;
}

TtOps tt_moved_views(TtArena *arena, MlirOperation func, TtOps grids) {
  TtOps moved = {NULL, 0, 0};
  if (!has_reshapes(func)) return moved;
  tt_fold_reshapes(arena, func);
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(func)); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (!moves_elements(op)) continue;
    MlirOperation from = tt_defining_op(mlirOperationGetOperand(op, 0));
    MlirAttribute space =
        mlirMemRefTypeGetMemorySpace(mlirValueGetType(mlirOperationGetOperand(op, 0)));
    bool whole =
        mlirOperationIsNull(from) || (tt_op_is(from, "memref.alloc") &&
                                      is_written(arena, mlirOperationGetResult(from, 0), grids));
    if (whole && mlirAttributeIsNull(space) && mlirOperationGetNumOperands(op) == 1 &&
        is_complete(arena, op, grids))
      tt_ops_add(arena, &moved, op);
  }
  return moved;
}
