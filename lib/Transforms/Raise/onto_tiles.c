/*===- onto_tiles.c - grids over elements that begin or end inside of a result ------------------===
 *
 *   scf.parallel (%i) = (0) to (78) { … store %x, %Y[%i + 1] }            (%Y : memref<80xf32>)
 * = scf.parallel (%i) = (0) to (80) { if 1 <= %i < 79 { … store %x, %Y[%i] } }
 *
 * Cells take 32 elements each, and blocks are smaller at the end of a tensor only. So the inner
 * elements of an image, or the first ones of a longer row, are those of all of it that a branch
 * leaves: tiles are written by one cell each.
 *
 * A loop that begins elsewhere than at 0 begins there.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/element_cells.h"

#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"

enum { SGE = 5, SLT = 2 };

/* Along one dimension of a loop: which elements of the results its steps write. */
typedef struct Written {
  int64_t from; /* its variable plus this is the index */
  int64_t size; /* of the results */
} Written;

/* Whether `index` is `iv` plus a constant. */
static bool is_at(TtArena *arena, MlirValue index, MlirValue iv, int64_t *constant) {
  MlirAffineMap map;
  const MlirValue *leaves;
  intptr_t n;
  if (!tt_index_map(arena, &index, 1, &map, &leaves, &n) || n != 1 || !tt_value_eq(leaves[0], iv))
    return false;
  MlirAffineExpr e = mlirAffineMapGetResult(map, 0);
  *constant = 0;
  if (mlirAffineExprIsAAdd(e)) {
    MlirAffineExpr by = mlirAffineBinaryOpExprGetRHS(e);
    if (!mlirAffineExprIsAConstant(by)) return false;
    *constant = mlirAffineConstantExprGetValue(by), e = mlirAffineBinaryOpExprGetLHS(e);
  }
  return mlirAffineExprIsADim(e);
}

/* Whether `index` does not follow `iv`. */
static bool stays(TtArena *arena, MlirValue index, MlirValue iv) {
  int64_t factor;
  return tt_index_factor(arena, index, iv, &factor) && factor == 0;
}

/* What a store writes along `iv`: one of its last two indices is that, plus a constant. */
static bool written_by(TtArena *arena, MlirOperation store, MlirValue iv, Written *w) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(store, 1));
  intptr_t rank = mlirShapedTypeGetRank(type), found = -1;
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue index = mlirOperationGetOperand(store, d + 2);
    if (stays(arena, index, iv)) continue;
    if (found >= 0 || d < rank - 2 || !is_at(arena, index, iv, &w->from)) return false;
    found = d;
  }
  if (found < 0 || mlirShapedTypeIsDynamicDim(type, found)) return false;
  w->size = mlirShapedTypeGetDimSize(type, found);
  return true;
}

/* The same of all stores, which must agree. */
static bool written_along(TtArena *arena, MlirOperation loop, MlirValue iv, Written *w) {
  TtOps stores = tt_collect(arena, loop, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i) {
    Written other;
    if (!written_by(arena, stores.data[i], iv, &other)) return false;
    if (i > 0 && (other.from != w->from || other.size != w->size)) return false;
    *w = other;
  }
  return stores.n > 0;
}

/* Whether loads go over windows: an index follows `iv` and something else. What is summed over them
 * goes over blocks as they are. */
static bool has_windows(TtArena *arena, MlirOperation loop, MlirValue iv) {
  TtOps loads = tt_collect(arena, loop, "memref.load");
  int64_t constant;
  for (intptr_t i = 0; i < loads.n; ++i)
    for (intptr_t d = 1; d < mlirOperationGetNumOperands(loads.data[i]); ++d) {
      MlirValue index = mlirOperationGetOperand(loads.data[i], d);
      if (!stays(arena, index, iv) && !is_at(arena, index, iv, &constant)) return true;
    }
  return false;
}

/* Whether the body holds elements and numbers only, and no blocks or buffers. */
static bool is_over_elements(TtArena *arena, MlirOperation loop) {
  TtOps all = tt_collect(arena, loop, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_op_is(all.data[i], "memref.alloc") || tt_op_is(all.data[i], "memref.copy") ||
        tt_op_is(all.data[i], "memref.subview") || tt_is_linalg(all.data[i]))
      return false;
  return true;
}

/* The variable begins `by` earlier: it is what it was at `%iv - by`. */
static void shift(const TtParallel *nest, intptr_t d, int64_t by) {
  MlirBlock body = tt_body(nest->op);
  MlirValue iv = mlirBlockGetArgument(body, d);
  MlirLocation loc = mlirOperationGetLocation(nest->op);
  TtBuilder b = tt_builder_at_start(body);
  if (by == 0) return;
  MlirValue old = by > 0 ? tt_sub(&b, loc, iv, tt_index(&b, loc, by))
                         : tt_add(&b, loc, iv, tt_index(&b, loc, -by));
  MlirOperation op = tt_defining_op(old);
  mlirValueReplaceAllUsesExcept(iv, old, 1, &op);
}

/* The body in a branch that is taken from step `from` to `to`. */
static void guard(const TtParallel *nest, intptr_t d, int64_t from, int64_t to, int64_t size) {
  MlirBlock body = tt_body(nest->op);
  MlirValue iv = mlirBlockGetArgument(body, d), taken = {NULL};
  MlirLocation loc = mlirOperationGetLocation(nest->op);
  MlirOperation first = mlirBlockGetFirstOperation(body), end = mlirBlockGetTerminator(body);
  TtBuilder b = tt_builder_before(first);
  if (from > 0) taken = tt_cmpi(&b, loc, SGE, iv, tt_index(&b, loc, from));
  if (to < size) {
    MlirValue below = tt_cmpi(&b, loc, SLT, iv, tt_index(&b, loc, to));
    taken = tt_is_null_value(taken) ? below : tt_and(&b, loc, taken, below);
  }
  if (tt_is_null_value(taken)) return;
  MlirOperation branch = tt_if(&b, loc, taken), yield = mlirBlockGetTerminator(tt_body(branch));
  for (MlirOperation op = first, next; !tt_op_eq(op, end); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, yield);
  }
}

/* A dimension of a loop over elements of constant bounds, one by one, as it writes the results. */
typedef struct Along {
  Written w;
  int64_t lower, n;
  bool known, whole; /* all of the results */
} Along;

static Along along(TtArena *arena, const TtParallel *nest, intptr_t d) {
  Along a = {.known = false};
  int64_t upper, step;
  if (!tt_constant(nest->lower[d], &a.lower) || !tt_constant(nest->upper[d], &upper) ||
      !tt_constant(nest->step[d], &step) || step != 1 ||
      !written_along(arena, nest->op, mlirBlockGetArgument(tt_body(nest->op), d), &a.w))
    return a;
  int64_t from;
  if (__builtin_sub_overflow(upper, a.lower, &a.n) ||
      __builtin_add_overflow(a.lower, a.w.from, &from) || a.n > a.w.size)
    return a;
  a.whole = from == 0 && a.n == a.w.size;
  a.known = a.n >= 1 && from >= 0 && from + a.n <= a.w.size;
  return a;
}

/* Whether cells of such a loop would end inside of the results. */
static bool ends_inside(const Along *a) {
  return a->known && !a->whole && a->n > TT_TILE && a->n % TT_TILE != 0;
}

void tt_move_onto_tiles(TtArena *arena, TtParallel *nest) {
  Along a[TT_PARALLEL_DIMS];
  bool inside = false, windows = false;
  if (!is_over_elements(arena, nest->op)) return;
  for (intptr_t d = 0; d < nest->dims; ++d) {
    a[d] = along(arena, nest, d);
    inside |= ends_inside(&a[d]);
    windows |= a[d].known && !a[d].whole &&
               has_windows(arena, nest->op, mlirBlockGetArgument(tt_body(nest->op), d));
  }
  if (inside && windows) return;
  TtBuilder b = tt_builder_before(nest->op);
  MlirLocation loc = mlirOperationGetLocation(nest->op);
  for (intptr_t d = 0; d < nest->dims; ++d) {
    int64_t from = a[d].lower + a[d].w.from;
    if (!a[d].known || (a[d].whole && a[d].lower == 0) || (!inside && a[d].lower == 0)) continue;
    shift(nest, d, inside ? a[d].w.from : -a[d].lower);
    if (inside) guard(nest, d, from, from + a[d].n, a[d].w.size);
    nest->lower[d] = tt_index(&b, loc, 0);
    nest->upper[d] = tt_index(&b, loc, inside ? a[d].w.size : a[d].n);
  }
}
