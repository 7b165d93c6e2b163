/*===- tiles.c - blocks and steps of a model's kernels -----------------------------------------===
 *
 * A unit of work is a block of the root's result: of the two loops that are the rows and columns
 * of a matrix (those of a product, where there is one) 32, 64, … or all elements, of the others
 * one. Of the blocks that fit L1 that one is taken with which the kernel is done first.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/graph.h"
#include "Transforms/Model/slice.h"

#include "Dialect/shapes.h"
#include "Target/costs.h"
#include "Target/schedule.h"

#include "mlir-c/AffineExpr.h"

#include <stdlib.h>

/* Of a block, in tiles: of a step of a sum; of results, their longer side, and all of them. Steps
 * of a product, at least. */
enum { LARGEST_STEP = 8, LARGEST_SIDE = 16, LARGEST_BLOCK = 64, STEPS = 2 };

static int64_t tiles(int64_t elements) { return (elements + TT_TILE - 1) / TT_TILE; }

/* The op whose rows and columns are those of a unit's blocks: a product, else the one with most
 * loops; and its operand with most dimensions. */
static const TtModelOp *main_op(const TtModelGraph *g, const TtModelGroup *group,
                                intptr_t *operand) {
  const TtModelOp *op = &g->ops[group->root];
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *other = &g->ops[i];
    if (other->group != group - g->groups || other->kind == TT_MODEL_FILL) continue;
    if (other->kind == TT_MODEL_PRODUCT ||
        (op->kind != TT_MODEL_PRODUCT && other->loops > op->loops))
      op = other;
  }
  *operand = tt_linalg_num_inputs(op->op);
  for (intptr_t i = 0; op->kind != TT_MODEL_PRODUCT && i < *operand; ++i)
    if (mlirAffineMapGetNumResults(tt_indexing_map(op->op, i)) >
        mlirAffineMapGetNumResults(tt_indexing_map(op->op, *operand)))
      *operand = i;
  return op;
}

/* Whether one operand of a product has both of the last two dimensions of its result, of map `out`:
 * then these are several vectors, and no matrix. */
static bool share_operand(const TtModelOp *op, MlirAffineMap out) {
  intptr_t rank = mlirAffineMapGetNumResults(out);
  if (rank < 2) return false;
  for (intptr_t i = 0; i < tt_linalg_num_inputs(op->op); ++i) {
    MlirAffineMap map = tt_indexing_map(op->op, i);
    int has = 0;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
      for (intptr_t d = rank - 2; d < rank; ++d)
        has += tt_map_loop(out, d) >= 0 && tt_map_loop(map, r) == tt_map_loop(out, d);
    if (has == 2) return true;
  }
  return false;
}

/* The loops of the root that are rows and columns, -1 where there is none. */
static void matrix_loops(const TtModelGraph *g, const TtModelGroup *group, int64_t *rows,
                         int64_t *cols) {
  intptr_t operand, dims[2];
  const TtModelOp *op = main_op(g, group, &operand);
  MlirAffineMap map = tt_indexing_map(op->op, operand);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  int64_t loops[2] = {-1, -1};
  tt_model_matrix_dims(op, operand, rank, dims);
  for (intptr_t r = 0; r < 2 && dims[r] >= 0; ++r) {
    int64_t loop = tt_map_loop(map, dims[r]);
    if (loop >= 0) loops[r] = op->follows[loop];
  }
  if (op->kind == TT_MODEL_GATHER) { /* rows are whole, however many dimensions they have */
    loops[0] = tt_model_parts_rows(op) ? op->follows[op->loops - 1] : -1;
    loops[1] = -1;
    for (intptr_t r = 0; r < rank - tt_model_row_loops(op); ++r)
      if (tt_map_loop(map, r) >= 0) loops[1] = op->follows[tt_map_loop(map, r)];
  }
  *cols = loops[0];
  *rows = op->kind == TT_MODEL_PRODUCT && share_operand(op, map) ? -1 : loops[1];
}

/*===- Choice ------------------------------------------------------------------------------===*/

/* Products go in steps, so that what is read next comes while they compute: at least two of
 * them, of at most eight tiles. Of several products the longest has its steps; others, whose sums
 * are shorter than one, have a single one: short steps would have a long sum wait for each read. */
static void choose_step(const TtModelGraph *g, TtModelGroup *group, bool longest) {
  int64_t whole = 0;
  group->step = 0;
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != group - g->groups || op->kind != TT_MODEL_PRODUCT) continue;
    intptr_t sums = 0;
    for (intptr_t d = 0; d < op->loops; ++d) sums += !op->parallel[d];
    for (intptr_t d = 0; d < op->loops; ++d) {
      if (!tt_model_is_last(op, d)) continue;
      int64_t most = op->extent[d] < 0 ? LARGEST_STEP : tiles(op->extent[d]) / STEPS,
              step = most < 1              ? 1
                     : most > LARGEST_STEP ? LARGEST_STEP
                                           : most;
      /* What is short and no whole tiles may be a head among others, and is one block. */
      if (sums == 1 && op->extent[d] % TT_TILE != 0 && op->extent[d] <= LARGEST_STEP * TT_TILE &&
          op->extent[d] > 0) {
        if (tiles(op->extent[d]) * TT_TILE > whole) whole = tiles(op->extent[d]) * TT_TILE;
        continue;
      }
      bool stepped = sums > 1 || op->extent[d] < 0 || op->extent[d] > step * TT_TILE;
      bool better = longest ? step * TT_TILE > group->step : step * TT_TILE < group->step;
      if (stepped && (better || !group->step)) group->step = step * TT_TILE;
    }
  }
  if (longest && group->step && group->step < whole) group->step = whole;
}

/* The next size of a block along a loop, after `tile` (0: the first); 0 after the last. */
static int64_t next_size(int64_t extent, int64_t tile) {
  int64_t next = tile + TT_TILE;
  if (extent > 0 && tile >= extent) return 0;
  if (next > LARGEST_SIDE * TT_TILE) return 0;
  return next;
}

/* The first size of a block's columns: all of a head among others that is no whole tiles, since the
 * next one begins inside of a tile. */
static int64_t first_cols(const TtModelOp *root, int64_t cols) {
  enum { HEAD = 4 * TT_TILE }; /* longer rows are no heads, and worth being shared */
  int64_t extent = root->extent[cols];
  intptr_t parallel = 0;
  for (intptr_t d = 0; d < root->loops; ++d) parallel += root->parallel[d];
  bool head = parallel > 2 && extent > 0 && extent <= HEAD && extent % TT_TILE != 0;
  return head ? tiles(extent) * TT_TILE : next_size(extent, 0);
}

/* Other steps than the chosen one: twice as long, or half. */
static void vary_step(TtModelGroup *group) {
  int variant = group->pick % TT_MODEL_STEP_PICKS;
  if (!group->step || variant == 0) return;
  int64_t step = variant == 1 ? 2 * group->step : group->step / 2;
  group->step = tiles(step) * TT_TILE;
}

/* Steps that stay long enough are halved, so that the first blocks are there sooner: what
 * --tt-merge-steps would choose, which makes steps longer, but not shorter. */
static void shorten_step(const TtModelGraph *g, TtModelGroup *group) {
  enum { LEAST_STEP = 4 }; /* tiles: with fewer, the packer takes longer to add what they are for */
  int64_t products = 0, step = group->step / TT_TILE;
  for (intptr_t i = 0; i < g->n; ++i)
    products += g->ops[i].group == group - g->groups && g->ops[i].kind == TT_MODEL_PRODUCT;
  if (products != 1 || group->step % TT_TILE != 0 || group->rows < 0 || group->cols < 0) return;
  double clk = (double)(tiles(group->tile[group->rows]) * tiles(group->tile[group->cols])) *
               tt_math_clk(tt_costs(g->target.chip), TT_MATH_matmul, TT_FIDELITIES);
  while (step % 2 == 0 && step / 2 >= LEAST_STEP && clk * (double)(step / 2) >= TT_LEAST_STEP_CLK)
    step /= 2;
  group->step = step * TT_TILE;
}

/* Rows that are gathered with more than one dimension are seen as such in a block of known size:
 * all blocks are alike, but for windows, whose places no list gives. Those that indices name are as
 * many as a page has indices, which is read once then, and not for each row. */
static bool is_even(const TtModelOp *root, const TtModelGroup *group, int64_t size) {
  if (root->kind != TT_MODEL_GATHER || group->rows < 0 || tt_linalg_num_inputs(root->op) == 0)
    return true;
  if (size > TT_TILE) return false;
  int64_t extent = root->extent[group->rows];
  return tt_model_row_loops(root) < 2 || extent <= size || extent % size == 0;
}

/* Whether an op of a group has a window slide along loop `loop` of the root: an index that adds
 * another loop to it. */
static bool has_window(const TtModelGraph *g, const TtModelGroup *group, int64_t loop) {
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != group - g->groups) continue;
    for (intptr_t j = 0; j < tt_linalg_num_inputs(op->op); ++j) {
      MlirAffineMap map = tt_indexing_map(op->op, j);
      for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
        MlirAffineExpr e = mlirAffineMapGetResult(map, r);
        for (intptr_t d = 0; d < op->loops && mlirAffineExprIsAAdd(e); ++d)
          if (op->follows[d] == loop && mlirAffineExprIsFunctionOfDim(e, d)) return true;
      }
    }
  }
  return false;
}

/* Whether dimension `dim` of what `collapse` takes is behind others in one of its results: rows of
 * several parts, one part behind the other. */
static bool is_behind_others(MlirOperation collapse, intptr_t dim) {
  MlirAttribute groups = tt_op_attr(collapse, "reassociation");
  MlirType type = mlirValueGetType(mlirOperationGetOperand(collapse, 0));
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute dims = mlirArrayAttrGetElement(groups, g);
    bool others = false;
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(dims); ++i) {
      intptr_t d = (intptr_t)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(dims, i));
      if (d == dim) return others;
      others |= mlirShapedTypeGetDimSize(type, d) != 1;
    }
  }
  return false;
}

/* Whether the result of a group's root goes to the inside of another tensor along loop `loop`: a
 * smaller block at its end would not be at the end of that. False where there are smaller ones for
 * any size of blocks. */
static bool is_inside(const TtModelOp *root, int64_t loop) {
  int64_t extent = root->extent[loop];
  if (extent < 0 || (extent > LARGEST_SIDE * TT_TILE && extent % TT_TILE != 0)) return false;
  MlirAffineMap out = tt_indexing_map(root->op, tt_linalg_num_inputs(root->op));
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(root->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    TtSlice slice;
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tt_op_is(user, "tensor.collapse_shape"))
      for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r)
        if (tt_map_loop(out, r) == loop && is_behind_others(user, r)) return true;
    if (!tt_is_insertion(user) || mlirOpOperandGetOperandNumber(use) != 0 ||
        !tt_slice_read(user, &slice) || slice.rank != mlirAffineMapGetNumResults(out))
      continue;
    for (intptr_t r = 0; r < slice.rank; ++r)
      if (tt_map_loop(out, r) == loop && tt_is_null_value(slice.offset[r].value) &&
          slice.offset[r].number + extent !=
              mlirShapedTypeGetDimSize(mlirValueGetType(slice.whole), r))
        return true;
  }
  return false;
}

/* Windows slide over blocks of known size: all blocks along such a loop are alike. */
static bool is_whole_windows(const TtModelOp *root, int64_t loop, bool window, int64_t size) {
  if (!window) return true;
  int64_t extent = root->extent[loop];
  return extent > 0 && (extent <= size || extent % size == 0);
}

/* A block of rows and columns that fits L1, what the kernel takes with it, and how large it counts
 * as: products read less with more rows; of others, wide blocks lie in more banks of DRAM, a column
 * of tiles in few of them. */
typedef struct Block {
  int64_t rows, cols;
  double time;
  int64_t worth;
} Block;

static int64_t worth_of(const Block *b, bool product) {
  return product ? b->rows * TT_TILE + b->cols : b->cols * TT_TILE + b->rows;
}

/* The fastest first; of two that are as fast the larger. */
static int compare_blocks(const void *a, const void *b) {
  const Block *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return (x->worth < y->worth) - (x->worth > y->worth);
}

static bool has_product(const TtModelGraph *g, const TtModelGroup *group) {
  for (intptr_t i = 0; i < g->n; ++i)
    if (g->ops[i].group == group - g->groups && g->ops[i].kind == TT_MODEL_PRODUCT) return true;
  return false;
}

static void set_block(TtModelGroup *group, bool free_rows, bool free_cols, const Block *block) {
  if (free_rows) group->tile[group->rows] = block->rows;
  if (free_cols) group->tile[group->cols] = block->cols;
}

static bool choose_tile(TtModelGraph *g, TtModelGroup *group, bool longest) {
  const TtModelOp *root = &g->ops[group->root];
  Block blocks[LARGEST_SIDE * LARGEST_SIDE];
  intptr_t n = 0;
  bool product = has_product(g, group);
  matrix_loops(g, group, &group->rows, &group->cols);
  int64_t rows = group->rows, cols = group->cols;
  choose_step(g, group, longest);
  vary_step(group);
  for (intptr_t d = 0; d < root->loops; ++d) group->tile[d] = 1;
  bool free_rows = rows >= 0 && !group->whole[rows], free_cols = cols >= 0 && !group->whole[cols];
  bool row_window = free_rows && (has_window(g, group, rows) || is_inside(root, rows)),
       col_window = free_cols && (has_window(g, group, cols) || is_inside(root, cols));
  for (int64_t r = free_rows ? next_size(root->extent[rows], 0) : 1; r;
       r = free_rows ? next_size(root->extent[rows], r) : 0)
    for (int64_t c = free_cols ? first_cols(root, cols) : 1; c;
         c = free_cols ? next_size(root->extent[cols], c) : 0) {
      blocks[n] = (Block){r, c, 0, 0};
      blocks[n].worth = worth_of(&blocks[n], product);
      set_block(group, free_rows, free_cols, &blocks[n]);
      if (free_rows && free_cols && tiles(r) * tiles(c) > LARGEST_BLOCK) continue;
      if (!is_whole_windows(root, rows, row_window, r) ||
          !is_whole_windows(root, cols, col_window, c))
        continue;
      if (tt_model_l1(g, group) > g->l1_bytes || !is_even(root, group, r)) continue;
      blocks[n++].time = tt_model_time(g, group);
    }
  if (n == 0) return false;
  qsort(blocks, (size_t)n, sizeof *blocks, compare_blocks);
  intptr_t best = group->pick / TT_MODEL_STEP_PICKS;
  if (best >= n) best = n - 1;
  set_block(group, free_rows, free_cols, &blocks[best]);
  group->time = blocks[best].time;
  if (group->pick % TT_MODEL_STEP_PICKS == 0) shorten_step(g, group);
  return true;
}

/* Where long steps do not fit, the shortest may. A sum alone that does not fit goes in steps. */
bool tt_model_tile(TtModelGraph *g, TtModelGroup *group) {
  group->sum_step = 0;
  if (choose_tile(g, group, true) || choose_tile(g, group, false)) return true;
  const TtModelOp *root = &g->ops[group->root];
  if (root->kind != TT_MODEL_REDUCTION) return false;
  group->sum_step = LARGEST_STEP * TT_TILE;
  return choose_tile(g, group, true);
}
