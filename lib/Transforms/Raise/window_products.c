/*===- window_products.c - convolutions of integers, as products of matrices --------------------===
 *
 *   linalg.generic (n, h, w, f, p, q, c) ins(%x : (n, h + p, w + q, c), %k : (p, q, c, f))
 *                                        outs(%y : (n, h, w, f)) { … a sum of products … }
 * = scf.for %n, %h { fill %y[%n, %h]
 *     scf.for %p, %q { linalg.generic (w, f, c) ins(%x[%n, %h + %p, %q] : (w, c), %k[%p, %q] :
 *                                                   (c, f)) outs(%y[%n, %h] : (w, f)) … } }
 *
 * Products of integers are made exact by --tt-split-products, which reads sums over one loop; those
 * of floats are stepped later on, by --tt-step-outer-dims.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/window_products.h"

#include "Analysis/kernel.h"
#include "Transforms/Raise/outer_steps.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"

static MlirAffineMap map_of(MlirAttribute maps, intptr_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

/* Loops of a map; with `lone`, those that are an index by themselves. */
static unsigned loops_of(MlirAffineMap map, bool lone) {
  unsigned loops = 0;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    MlirAffineExpr e = mlirAffineMapGetResult(map, r);
    for (intptr_t d = 0; d < mlirAffineMapGetNumDims(map) && d < 32; ++d)
      if (lone ? mlirAffineExprIsADim(e) && mlirAffineDimExprGetPosition(e) == d
               : mlirAffineExprIsFunctionOfDim(e, d))
        loops |= 1u << d;
  }
  return loops;
}

bool tt_is_window_product(MlirOperation op, MlirAttribute maps) {
  intptr_t operands = mlirArrayAttrGetNumElements(maps);
  if (operands < 3 || mlirOperationGetNumOperands(op) != operands ||
      tt_linalg_num_inputs(op) != operands - 1)
    return false;
  MlirAffineMap x = map_of(maps, 0), k = map_of(maps, 1), y = map_of(maps, operands - 1);
  unsigned out = loops_of(y, false);
  bool windows = !mlirAffineMapIsProjectedPermutation(x) || !mlirAffineMapIsProjectedPermutation(k);
  return windows && mlirAffineMapIsProjectedPermutation(y) &&
         (loops_of(x, true) & loops_of(k, true) & ~out) &&
         (loops_of(x, false) & ~loops_of(k, false) & out) &&
         (loops_of(k, false) & ~loops_of(x, false) & out);
}

/* The op before `op`, where that fills what it sums onto; else null. */
static MlirOperation fill_before(MlirOperation op) {
  MlirOperation none = {NULL};
  for (MlirOperation p = mlirBlockGetFirstOperation(mlirOperationGetBlock(op)); !tt_op_eq(p, op);
       p = tt_next(p))
    if (tt_op_eq(tt_next(p), op)) return tt_starts_sum(p, op) ? p : none;
  return none;
}

/* Whether all operands that are multiplied have 8 bits: sums of others are the vector unit's, and
 * --tt-step-outer-dims takes their steps. */
static bool is_narrow(MlirOperation op) {
  for (intptr_t i = 0; i < 2; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i)), element;
    if (!tt_is_memref(type)) return false;
    element = mlirShapedTypeGetElementType(type);
    if (!mlirTypeIsAInteger(element) || mlirIntegerTypeGetWidth(element) > 8) return false;
  }
  return true;
}

void tt_step_window_products(TtArena *arena, MlirOperation kernel) {
  TtOps all = tt_collect(arena, kernel, "linalg.generic"), found = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    intptr_t operands = mlirOperationGetNumOperands(op);
    MlirType out = mlirValueGetType(mlirOperationGetOperand(op, operands - 1));
    if (operands == 3 && tt_is_memref(out) &&
        mlirTypeIsAInteger(mlirShapedTypeGetElementType(out)) && is_narrow(op) &&
        tt_is_window_product(op, mlirLinalgGetIndexingMapsAttribute(op)))
      tt_ops_add(arena, &found, op);
  }
  if (found.n > 0) tt_sink_fills(arena, kernel);
  for (intptr_t i = 0; i < found.n; ++i)
    tt_step_outer(arena, found.data[i], fill_before(found.data[i]), false);
}
