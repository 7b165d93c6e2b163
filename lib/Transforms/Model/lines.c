/*===- lines.c - what cores of a model's kernel read together ----------------------------------===
 *
 *   8 x 8 units of rows and columns on 8 x 8 cores     a line reads one block of rows, another one
 *                                                      of columns: both operands are shared
 *   7 x 12 units of rows and heads, two a core         six cores have the heads of some rows; those
 *                                                      of a head stand below each other: its keys
 *
 * Of units on cores as --tt-place-units deals them: about, before passes have lowered anything.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/shapes.h"
#include "Transforms/Model/graph.h"

#include "mlir-c/AffineExpr.h"

int64_t tt_model_blocks_along(int64_t extent, int64_t tile) {
  if (extent <= 0) extent = 1024; /* not known: taken to be long */
  return (extent + tile - 1) / tile;
}

/* The last loop that the grid has, along which a core's units lie. */
static intptr_t last_loop(const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  intptr_t last = -1;
  for (intptr_t d = 0; d < root->loops; ++d)
    if (root->parallel[d] && !group->whole[d]) last = d;
  return last;
}

/* Whether heads read in groups: those beside each other have one operand then. */
static bool has_grouped_heads(const TtModelGraph *g, const TtModelGroup *group) {
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != group - g->groups || op->kind != TT_MODEL_PRODUCT) continue;
    for (intptr_t j = 0; j < tt_linalg_num_inputs(op->op); ++j) {
      MlirAffineMap map = tt_indexing_map(op->op, j);
      for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
        if (mlirAffineExprIsAFloorDiv(mlirAffineMapGetResult(map, r))) return true;
    }
  }
  return false;
}

int tt_model_shared_operands(const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  int64_t lines[] = {1, 1}, x = g->target.grid_x, y = g->target.grid_y, behind = 1;
  bool others = false, heads = false;
  for (intptr_t d = 0; d < root->loops; ++d) {
    if (!root->parallel[d] || group->whole[d]) continue;
    int64_t blocks = tt_model_blocks_along(root->extent[d], group->tile[d]);
    if (d == group->rows) lines[0] = blocks;
    else if (d == group->cols) lines[1] = blocks;
    else others |= blocks > 1, heads |= blocks > 1 && group->rows >= 0 && d > group->rows;
    if (d > group->rows) behind *= blocks;
  }
  if (heads && !has_grouped_heads(g, group)) { /* a line is to have a row of all heads */
    int64_t each = (lines[0] * behind + x * y - 1) / (x * y);
    return behind % each == 0 && behind / each <= x && lines[0] <= y;
  }
  if (!others && lines[0] <= y) {
    /* Units of a core are next to each other along the last loop (--tt-place-units). */
    int64_t cores = x * y, each = (lines[0] * lines[1] + cores - 1) / cores;
    bool is_last = last_loop(g, group) == group->cols;
    if (lines[1] <= x || (is_last && lines[1] % each == 0 && lines[1] / each <= x)) return 2;
  }
  return others || lines[1] % x == 0 || x % lines[1] == 0;
}
