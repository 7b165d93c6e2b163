/*===- tile_order.c - loops that take the tiles of a block in their order -----------------------===
 *
 *   for %i < 2 { for %j < 4 { sub_tiles %x, %y, %i * 4 + %j, … } }       tiles 0, 1, … 7
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/tile_order.h"

#include "Analysis/index_expr.h"
#include "Dialect/op_info.h"

/* The loops go up in steps of one, and each takes the tiles of those in it, one after the other. */
static bool counts_up(TtArena *arena, MlirOperation op, MlirOperation loop, MlirValue tile,
                      int64_t tiles, int64_t at_once) {
  int64_t taken = at_once;
  for (MlirOperation p = tt_parent(op);; p = tt_parent(p)) {
    int64_t lower, upper, step, factor;
    if (!tt_op_is(p, "scf.for") || !tt_constant(mlirOperationGetOperand(p, 0), &lower) ||
        !tt_constant(mlirOperationGetOperand(p, 1), &upper) ||
        !tt_constant(mlirOperationGetOperand(p, 2), &step) || lower != 0 || step != 1 ||
        !tt_index_factor(arena, tile, tt_for_iv(p), &factor) || factor != taken)
      return false;
    taken *= upper;
    if (tt_op_eq(p, loop)) return taken == tiles;
  }
}

/* Whether the tile is a sum of the loops' variables alone: it is 0 where they are. */
static bool starts_at_zero(TtArena *arena, MlirOperation op, MlirOperation loop, MlirValue tile) {
  MlirAffineMap map;
  const MlirValue *leaves;
  intptr_t n;
  if (!tt_index_map(arena, &tile, 1, &map, &leaves, &n)) return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirOperation p = tt_parent(op);
    while (!tt_op_eq(p, loop) && !tt_value_eq(leaves[i], tt_for_iv(p))) p = tt_parent(p);
    if (!tt_value_eq(leaves[i], tt_for_iv(p))) return false;
  }
  MlirContext context = mlirOperationGetContext(op);
  MlirAffineExpr *zeros = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *zeros);
  for (intptr_t i = 0; i < n; ++i) zeros[i] = mlirAffineConstantExprGet(context, 0);
  MlirAffineMap at_zero = mlirAffineMapGet(context, 0, 0, n, zeros);
  MlirAffineExpr first =
      mlirSimplifyAffineExpr(mlirAffineExprCompose(mlirAffineMapGetResult(map, 0), at_zero), 0, 0);
  return mlirAffineExprIsAConstant(first) && mlirAffineConstantExprGetValue(first) == 0;
}

bool tt_takes_in_order(TtArena *arena, MlirOperation op, MlirOperation loop, MlirValue tile,
                       int64_t tiles, int64_t at_once) {
  return counts_up(arena, op, loop, tile, tiles, at_once) && starts_at_zero(arena, op, loop, tile);
}
