/*===- fold_moves.c - --tt-fold-moves ------------------------------------------------------===
 *
 * What only moves elements, a transposition or a broadcast, becomes a part of how the ops read
 * it, contractions included: exporters turn weights and split heads by ops of their own.
 *
 *   before  %t = linalg.generic {maps = [(i, j) -> (j, i), (i, j) -> (i, j)]} ins(%w) … yield %in
 *           %c = linalg.generic {maps = [(m, n, k) -> (m, k), (k, n), (m, n)]} ins(%x, %t)
 *   after   %c = linalg.generic {maps = [(m, n, k) -> (m, k), (n, k), (m, n)]} ins(%x, %w)
 *
 * A broadcast whose result is collapsed, as heads of keys are repeated, is a quotient of the loop:
 * (h, t, c) -> (h floordiv 4, t, c). Where that loop is a row or a column of the user's result, as
 * when pixels are repeated, the broadcast stays.
 *
 * Requires generalized ops on tensors. Leaves moves that other ops than linalg.generic use, or
 * the function returns, and those whose maps are no loops.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

#include "mlir-c/AffineExpr.h"

/* The loop that an operand's dimension is, or is a quotient of; -1 where it is neither. */
static int64_t loop_of(MlirAffineExpr e) {
  if (mlirAffineExprIsAFloorDiv(e) && mlirAffineExprIsAConstant(mlirAffineBinaryOpExprGetRHS(e)))
    e = mlirAffineBinaryOpExprGetLHS(e);
  return mlirAffineExprIsADim(e) ? (int64_t)mlirAffineDimExprGetPosition(e) : -1;
}

/* Whether each dimension of an operand is a loop of its own, or a quotient of one. */
static bool reads_loops(MlirAffineMap map) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    int64_t loop = loop_of(mlirAffineMapGetResult(map, r));
    if (loop < 0) return false;
    for (intptr_t q = 0; q < r; ++q)
      if (loop_of(mlirAffineMapGetResult(map, q)) == loop) return false;
  }
  return true;
}

/* The operand that an op only moves: all its loops are parallel, its body yields one of its
 * arguments, and it reads and writes whole dimensions, or repeats them. -1 where it does more. */
static intptr_t moved_operand(MlirOperation op) {
  if (!tt_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1) return -1;
  MlirBlock body = tt_body(op);
  MlirOperation yield = mlirBlockGetFirstOperation(body);
  if (!tt_op_is(yield, "linalg.yield")) return -1;
  MlirValue value = mlirOperationGetOperand(yield, 0);
  intptr_t inputs = tt_linalg_num_inputs(op);
  for (intptr_t i = 0; i < inputs; ++i) {
    if (!tt_value_eq(value, mlirBlockGetArgument(body, i))) continue;
    MlirAffineMap in = tt_indexing_map(op, i), out = tt_indexing_map(op, inputs);
    if (!mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(op, i)))) return -1;
    return reads_loops(in) && mlirAffineMapIsPermutation(out) ? i : -1;
  }
  return -1;
}

/* The map of what is moved, where the user reads dimension p of the result at `at[p]`. */
static MlirAffineMap through(TtArena *arena, MlirOperation move, intptr_t operand, intptr_t loops,
                             const MlirAffineExpr *at) {
  MlirAffineMap in = tt_indexing_map(move, operand),
                out = tt_indexing_map(move, tt_linalg_num_inputs(move));
  intptr_t rank = mlirAffineMapGetNumResults(in);
  MlirAffineExpr *results = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *results);
  for (intptr_t r = 0; r < rank; ++r) {
    MlirAffineExpr e = mlirAffineMapGetResult(in, r);
    for (intptr_t p = 0; p < mlirAffineMapGetNumResults(out); ++p)
      if (tt_map_loop(out, p) == loop_of(e)) results[r] = at[p];
    if (mlirAffineExprIsAFloorDiv(e))
      results[r] = mlirAffineFloorDivExprGet(results[r], mlirAffineBinaryOpExprGetRHS(e));
  }
  return mlirAffineMapGet(mlirOperationGetContext(move), loops, 0, rank, results);
}

/* Where a user that reads `collapse` by map `use` reads what it collapses. */
static MlirAffineExpr *before_collapse(TtArena *arena, MlirOperation collapse, MlirAffineMap use) {
  MlirContext context = mlirOperationGetContext(collapse);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(collapse, 0));
  MlirAttribute groups = tt_op_attr(collapse, "reassociation");
  intptr_t rank = mlirShapedTypeGetRank(type), last = rank;
  MlirAffineExpr *at = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *at);
  if (!mlirShapedTypeHasStaticShape(type)) return NULL;
  for (intptr_t g = mlirArrayAttrGetNumElements(groups); g-- > 0;) {
    intptr_t n = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
    int64_t stride = 1;
    for (intptr_t d = last; d-- > last - n;) {
      MlirAffineExpr e = mlirAffineMapGetResult(use, g);
      int64_t extent = mlirShapedTypeGetDimSize(type, d);
      if (stride > 1) e = mlirAffineFloorDivExprGet(e, mlirAffineConstantExprGet(context, stride));
      if (d > last - n) e = mlirAffineModExprGet(e, mlirAffineConstantExprGet(context, extent));
      at[d] = e;
      stride *= extent;
    }
    last -= n;
  }
  return at;
}

/* Whether `loop` is a row or a column of what `user` gives, of which a block has many steps. */
static bool is_side(MlirOperation user, intptr_t loop) {
  MlirAffineMap out = tt_indexing_map(user, tt_linalg_num_inputs(user));
  intptr_t rank = mlirAffineMapGetNumResults(out);
  for (intptr_t r = rank > 2 ? rank - 2 : 0; r < rank; ++r)
    if (tt_map_loop(out, r) == loop) return true;
  return false;
}

/* A loop, or a quotient of one: a block of one step of it is one step of the operand. */
static bool is_step(MlirOperation user, MlirAffineExpr e) {
  if (!mlirAffineExprIsAFloorDiv(e)) return mlirAffineExprIsADim(e);
  MlirAffineExpr loop = mlirAffineBinaryOpExprGetLHS(e);
  return mlirAffineExprIsADim(loop) && !is_side(user, mlirAffineDimExprGetPosition(loop)) &&
         mlirAffineExprIsAConstant(mlirAffineBinaryOpExprGetRHS(e));
}

static bool are_steps(MlirOperation user, MlirAffineMap map) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (!is_step(user, mlirAffineMapGetResult(map, r))) return false;
  return true;
}

/* Whether the loops of `user` still have bounds where operand `i` has map `map`. */
static bool bounds_all_loops(MlirOperation user, intptr_t i, MlirAffineMap map) {
  intptr_t loops = mlirAffineMapGetNumDims(map);
  for (intptr_t d = 0; d < loops; ++d) {
    bool bound = false;
    for (intptr_t j = 0; !bound && j < mlirOperationGetNumOperands(user); ++j) {
      MlirAffineMap m = j == i ? map : tt_indexing_map(user, j);
      for (intptr_t r = 0; !bound && r < mlirAffineMapGetNumResults(m); ++r)
        bound = tt_map_loop(m, r) == d;
    }
    if (!bound) return false;
  }
  return true;
}

static bool fold_operand(TtArena *arena, MlirOperation user, intptr_t i) {
  MlirAffineMap use = tt_indexing_map(user, i);
  MlirOperation move = tt_defining_op(mlirOperationGetOperand(user, i));
  intptr_t rank = mlirAffineMapGetNumResults(use);
  MlirAffineExpr *at = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *at);
  for (intptr_t r = 0; r < rank; ++r) at[r] = mlirAffineMapGetResult(use, r);
  if (tt_op_is(move, "tensor.collapse_shape")) {
    at = before_collapse(arena, move, use);
    move = tt_defining_op(mlirOperationGetOperand(move, 0));
  }
  if (!at || mlirOperationIsNull(move)) return false;
  intptr_t operand = moved_operand(move);
  if (operand < 0) return false;
  MlirAffineMap map = through(arena, move, operand, mlirAffineMapGetNumDims(use), at);
  if (!are_steps(user, map) || !bounds_all_loops(user, i, map)) return false;
  tt_set_indexing_map(user, i, map);
  mlirOperationSetOperand(user, i, mlirOperationGetOperand(move, operand));
  return true;
}

static bool fold(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; j < tt_linalg_num_inputs(ops.data[i]); ++j)
      while (fold_operand(arena, ops.data[i], j)) continue;
  tt_erase_dead(func);
  return true;
}

bool tt_run_fold_moves(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, fold);
}
