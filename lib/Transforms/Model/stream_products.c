/*===- stream_products.c - the two products of an attention
 * --------------------------------------===
 *
 *   scores (h, i, j) += q (h, i, x) * k (h / 2, j, x)    h: batches, i: rows, j: keys
 *   result (h, i, x) += weights (h, i, j) * v (h / 2, j, x)
 *
 * What each loop is follows from the scores: each of their dimensions is one, the last one of keys;
 * the products have one loop more each. Heads may read those of keys and values together.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/stream_softmax.h"

#include "mlir-c/AffineExpr.h"

/* The kind of each loop of a product whose result or operand `i` has the loops of the scores. */
static bool name_loops(const TtStream *s, MlirOperation product, intptr_t i, intptr_t *names) {
  MlirAffineMap map = tt_indexing_map(product, i);
  intptr_t n = mlirAffineMapGetNumDims(map);
  if (n != s->rank + 1 || mlirAffineMapGetNumResults(map) != s->rank) return false;
  for (intptr_t d = 0; d < n; ++d) names[d] = TT_STREAM_OTHER;
  for (intptr_t r = 0; r < s->rank; ++r) {
    int64_t loop = tt_map_loop(map, r);
    if (loop < 0) return false;
    names[loop] = r;
  }
  return true;
}

int64_t tt_stream_loop(MlirAffineMap map, intptr_t r, int64_t *divisor) {
  MlirAffineExpr expr = mlirAffineMapGetResult(map, r);
  *divisor = 1;
  if (mlirAffineExprIsAFloorDiv(expr)) {
    MlirAffineExpr by = mlirAffineBinaryOpExprGetRHS(expr);
    if (!mlirAffineExprIsAConstant(by)) return -1;
    *divisor = mlirAffineConstantExprGetValue(by);
    expr = mlirAffineBinaryOpExprGetLHS(expr);
  }
  return mlirAffineExprIsADim(expr) ? (int64_t)mlirAffineDimExprGetPosition(expr) : -1;
}

bool tt_stream_is_product(MlirOperation op) {
  return tt_op_is(op, "linalg.contract") ||
         (tt_op_is(op, "linalg.generic") && mlirOperationGetNumResults(op) == 1 &&
          tt_sums_products(op));
}

/* The dimension of operand `i` of a product that is `name`, or -1. */
static intptr_t dim_of(MlirOperation product, intptr_t i, const intptr_t *names, intptr_t name) {
  MlirAffineMap map = tt_indexing_map(product, i);
  int64_t divisor;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (names[tt_stream_loop(map, r, &divisor)] == name) return r;
  return -1;
}

static bool has(MlirOperation product, intptr_t i, const intptr_t *names, intptr_t name) {
  return dim_of(product, i, names, name) >= 0;
}

/* Whether every dimension of the operands of a product is a loop of its own, or heads that read one
 * of them. */
static bool has_loops(MlirOperation product) {
  for (intptr_t i = 0; i < 3; ++i) {
    MlirAffineMap map = tt_indexing_map(product, i);
    int64_t divisor, other;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      int64_t loop = tt_stream_loop(map, r, &divisor);
      if (loop < 0) return false;
      for (intptr_t before = 0; before < r; ++before)
        if (tt_stream_loop(map, before, &other) == loop) return false;
    }
  }
  return true;
}

/* Whether heads alone, which are batches, read a dimension together, and of keys and values. */
static bool shares_batches(const TtStream *s, MlirOperation product, intptr_t keys,
                           const intptr_t *names) {
  for (intptr_t i = 0; i < 3; ++i) {
    MlirAffineMap map = tt_indexing_map(product, i);
    int64_t divisor;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      intptr_t name = names[tt_stream_loop(map, r, &divisor)];
      if (divisor != 1 && (i != keys || name == s->rank - 1 || name == TT_STREAM_OTHER))
        return false;
    }
  }
  return true;
}

static bool is_narrow(MlirOperation product, intptr_t i, const intptr_t *names) {
  intptr_t r = dim_of(product, i, names, TT_STREAM_OTHER);
  if (r < 0) return false;
  int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetOperand(product, i)), r);
  return size > 0 && size <= TT_STREAM_WIDEST;
}

/* Rows of a block are queries of one batch, which see the same keys; without such, single ones. */
bool tt_stream_read_products(TtStream *s) {
  intptr_t key = s->rank - 1;
  if (!has_loops(s->product) || !has_loops(s->last) || !name_loops(s, s->product, 2, s->first) ||
      !name_loops(s, s->last, s->p, s->second))
    return false;
  s->k = has(s->product, 0, s->first, key) ? 0 : 1, s->q = 1 - s->k;
  if (has(s->product, s->q, s->first, key) || !has(s->product, s->k, s->first, key) ||
      !has(s->last, s->v, s->second, key) || has(s->last, 2, s->second, key) ||
      has(s->last, s->p, s->second, TT_STREAM_OTHER))
    return false;
  s->row = -1;
  for (intptr_t d = key; s->row < 0 && d-- > 0;)
    if (!has(s->product, s->k, s->first, d) && !has(s->last, s->v, s->second, d)) s->row = d;
  s->alone = s->row < 0;
  if (s->alone) s->row = key - 1;
  if (!shares_batches(s, s->product, s->k, s->first) ||
      !shares_batches(s, s->last, s->v, s->second))
    return false;
  for (intptr_t d = 0; d < key; ++d)
    if (!has(s->product, s->q, s->first, d) || !has(s->last, 2, s->second, d)) return false;
  return s->row >= 0 && is_narrow(s->product, s->q, s->first) &&
         is_narrow(s->product, s->k, s->first) && is_narrow(s->last, s->v, s->second) &&
         is_narrow(s->last, 2, s->second);
}
