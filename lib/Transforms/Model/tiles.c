/*===- tiles.c - blocks and steps of a model's kernels -----------------------------------------===
 *
 * A unit of work is a block of the root's result: of the two loops that are the rows and columns
 * of a matrix (those of a product, where there is one) 32, 64, … or all elements, of the others
 * one. Of the blocks that fit L1 that one is taken with which the busiest core is done first:
 * the matrix engine's and the vector unit's time for its units, or the time of what they read.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/graph.h"

#include "Dialect/shapes.h"
#include "Target/costs.h"

#include "mlir-c/AffineExpr.h"

#include <math.h>
#include <string.h>

enum { LARGEST_SIDE = 8, STEPS = 4 }; /* of a block, in tiles; of a product, at least */

static int64_t tiles(int64_t elements) { return (elements + TT_TILE - 1) / TT_TILE; }

/* Padded to tiles in the last two dimensions. */
static int64_t padded(int64_t n, intptr_t from_end) {
  return from_end < 2 ? tiles(n) * TT_TILE : n;
}

int64_t tt_model_step(const TtModelGraph *g, const TtModelOp *op) {
  const TtModelGroup *group = &g->groups[op->group];
  int64_t step = op->kind == TT_MODEL_PRODUCT     ? group->step
                 : op->kind == TT_MODEL_REDUCTION ? group->sum_step
                                                  : 0;
  for (intptr_t i = 0; step && i < tt_linalg_num_inputs(op->op); ++i) {
    intptr_t from = tt_model_producer(g, mlirOperationGetOperand(op->op, i));
    if (from >= 0 && g->ops[from].group == op->group) return 0; /* a unit has all of it */
  }
  return step;
}

/* Elements of dimension `r` of an operand in a unit, where it is the quotient of a loop. */
static int64_t quotient_block(const TtModelGraph *g, const TtModelOp *op, MlirAffineMap map,
                              intptr_t r, MlirType type) {
  MlirAffineExpr e = mlirAffineMapGetResult(map, r);
  if (!mlirAffineExprIsAFloorDiv(e)) return mlirShapedTypeGetDimSize(type, r);
  int64_t by = mlirAffineConstantExprGetValue(mlirAffineBinaryOpExprGetRHS(e));
  intptr_t loop = mlirAffineDimExprGetPosition(mlirAffineBinaryOpExprGetLHS(e));
  return (tt_model_block(g, op, loop) - 1) / by + 1;
}

/* Bytes of the block of operand `i` of `op` in a unit. */
static int64_t block_bytes(const TtModelGraph *g, const TtModelOp *op, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, i));
  if (!mlirTypeIsAShaped(type)) return 0;
  MlirAffineMap map = tt_indexing_map(op->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  int64_t bytes = tt_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t r = 0; r < rank; ++r) {
    int64_t loop = tt_map_loop(map, r),
            n = loop < 0 ? quotient_block(g, op, map, r, type) : tt_model_block(g, op, loop);
    bytes *= padded(n > 0 ? n : 1, rank - 1 - r);
  }
  return rank == 1 ? bytes * TT_TILE : bytes;
}

/* Whether operand `i` is one before it, read in the same way. */
static bool is_repeated(const TtModelOp *op, intptr_t i) {
  for (intptr_t j = 0; j < i; ++j)
    if (tt_value_eq(mlirOperationGetOperand(op->op, i), mlirOperationGetOperand(op->op, j)) &&
        mlirAffineMapEqual(tt_indexing_map(op->op, i), tt_indexing_map(op->op, j)))
      return true;
  return false;
}

static bool is_inside(const TtModelGraph *g, const TtModelOp *op, intptr_t operand) {
  intptr_t from = tt_model_producer(g, mlirOperationGetOperand(op->op, operand));
  return from >= 0 && g->ops[from].group == op->group;
}

int64_t tt_model_l1(const TtModelGraph *g, const TtModelGroup *group) {
  int64_t bytes = 0, index = group - g->groups;
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != index || op->kind == TT_MODEL_FILL) continue;
    intptr_t inputs = tt_linalg_num_inputs(op->op);
    for (intptr_t j = 0; j < inputs; ++j)
      if (!is_inside(g, op, j) && !is_repeated(op, j)) bytes += 2 * block_bytes(g, op, j);
    bytes += 2 * block_bytes(g, op, inputs);
  }
  return bytes;
}

static int64_t blocks_along(int64_t extent, int64_t tile) {
  if (extent <= 0) extent = 1024; /* not known: taken to be long */
  return (extent + tile - 1) / tile;
}

int64_t tt_model_units(const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  int64_t units = 1;
  for (intptr_t d = 0; d < root->loops; ++d)
    if (root->parallel[d] && !group->whole[d])
      units *= blocks_along(root->extent[d], group->tile[d]);
  return units;
}

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

/* The loops of the root that are rows and columns, -1 where there is none. */
static void matrix_loops(const TtModelGraph *g, const TtModelGroup *group, int64_t *rows,
                         int64_t *cols) {
  intptr_t operand;
  const TtModelOp *op = main_op(g, group, &operand);
  MlirAffineMap map = tt_indexing_map(op->op, operand);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  int64_t loops[2] = {-1, -1};
  for (intptr_t r = 0; r < 2 && r < rank; ++r) {
    int64_t loop = tt_map_loop(map, rank - 1 - r);
    if (loop >= 0) loops[r] = op->follows[loop];
  }
  *cols = loops[0];
  *rows = loops[1];
}

/*===- Time --------------------------------------------------------------------------------===*/

/* Tiles of the iteration space of `op` in a unit: of its last two loops, once for each of the
 * others; of a product, of the last three. */
static double unit_tiles(const TtModelGraph *g, const TtModelOp *op) {
  double n = 1;
  int matrix = op->kind == TT_MODEL_PRODUCT ? 3 : 2;
  for (intptr_t d = op->loops; d-- > 0;) {
    int64_t block =
        op->parallel[d] || op->kind != TT_MODEL_PRODUCT ? tt_model_block(g, op, d) : op->extent[d];
    if (block <= 0) block = 1024;
    n *= matrix-- > 0 ? (double)tiles(block) : (double)block;
  }
  return n;
}

/* What the engine of a core takes for a tile of an op that is no product. */
static double map_clk(const TtModelOp *op, const TtCosts *costs) {
  double clk = 0;
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_body(op->op)); !mlirOperationIsNull(in);
       in = tt_next(in)) {
    MlirStringRef name = tt_op_name(in);
    bool special = name.length > 5 && strncmp(name.data, "math.", 5) == 0;
    clk += tt_op_is(in, "linalg.yield") ? 0
           : special || tt_op_is(in, "arith.divf")
               ? tt_vector_clk(costs, TT_VECTOR_EXP, true)
               : (double)tt_math_clk(costs, TT_MATH_add, 1) + tt_pack_clk(costs, 4, false);
  }
  return clk;
}

static double num_steps(const TtModelGraph *g, const TtModelOp *op) {
  double steps = 1;
  int64_t step = tt_model_step(g, op);
  for (intptr_t d = 0; step && d < op->loops; ++d)
    if (!op->parallel[d])
      steps *= (double)blocks_along(op->extent[d], tt_model_is_last(op, d) ? step : 1);
  return steps;
}

/* A sum that DST does not hold is packed and copied back between steps. */
static double spill_clk(const TtModelGraph *g, const TtModelOp *op, const TtTarget *target) {
  const TtCosts *costs = tt_costs(target->chip);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op->op, 0));
  intptr_t out = tt_linalg_num_inputs(op->op);
  double held = (double)block_bytes(g, op, out) /
                (double)tt_element_bytes(mlirShapedTypeGetElementType(type)) / TT_TILE / TT_TILE;
  if (held <= target->chip->dst_tiles_32) return 0;
  return (num_steps(g, op) - 1) * held *
         (tt_math_clk(costs, TT_MATH_copy_to_dst, 1) + tt_pack_clk(costs, 4, false));
}

static double elements_of(MlirType type) {
  double n = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (mlirShapedTypeGetDimSize(type, d) > 0) n *= (double)mlirShapedTypeGetDimSize(type, d);
  return n * (double)tt_element_bytes(mlirShapedTypeGetElementType(type));
}

/* What a unit works and reads, and how much less all units read where they share the operand
 * with which that saves most. */
typedef struct Work {
  double engine, bytes, saved;
} Work;

static void add_work(const TtModelGraph *g, const TtModelOp *op, const TtTarget *target,
                     double units, Work *work) {
  const TtCosts *costs = tt_costs(target->chip);
  bool product = op->kind == TT_MODEL_PRODUCT;
  work->engine += unit_tiles(g, op) * (product ? tt_math_clk(costs, TT_MATH_matmul, TT_FIDELITIES)
                                               : map_clk(op, costs));
  if (product) work->engine += spill_clk(g, op, target);
  for (intptr_t j = 0; j < tt_linalg_num_inputs(op->op); ++j) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, j));
    if (is_inside(g, op, j) || is_repeated(op, j) || !mlirTypeIsAShaped(type)) continue;
    double read = num_steps(g, op) * (double)block_bytes(g, op, j),
           saved = units * read - elements_of(type);
    work->bytes += read;
    if (saved > work->saved) work->saved = saved;
  }
}

/* What the busiest core takes for its units, or DRAM for those of all. */
static double time_of(const TtModelGraph *g, const TtModelGroup *group, int64_t cores) {
  TtTarget target = tt_target_of(g->func);
  double units = (double)tt_model_units(g, group), waves = ceil(units / (double)cores);
  Work work = {0, 0, 0};
  for (intptr_t i = 0; i < g->n; ++i)
    if (g->ops[i].group == group - g->groups && g->ops[i].kind != TT_MODEL_FILL)
      add_work(g, &g->ops[i], &target, units, &work);
  double dram = (double)target.chip->bank_bytes_per_clk * target.chip->dram_banks,
         noc = (double)target.chip->noc_bytes_per_clk;
  return fmax(waves * fmax(work.engine, work.bytes / noc),
              (units * work.bytes - work.saved) / dram);
}

/*===- Choice ------------------------------------------------------------------------------===*/

/* Products go in steps, so that what is read next comes while they compute: at least four of
 * them, of at most eight tiles. */
static void choose_step(const TtModelGraph *g, TtModelGroup *group) {
  group->step = 0;
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != group - g->groups || op->kind != TT_MODEL_PRODUCT) continue;
    intptr_t sums = 0;
    for (intptr_t d = 0; d < op->loops; ++d) sums += !op->parallel[d];
    for (intptr_t d = 0; d < op->loops; ++d) {
      if (!tt_model_is_last(op, d)) continue;
      int64_t most = op->extent[d] < 0 ? LARGEST_SIDE : tiles(op->extent[d]) / STEPS,
              step = most < 1              ? 1
                     : most > LARGEST_SIDE ? LARGEST_SIDE
                                           : most;
      /* What is short and no whole tiles may be a head among others, and is one block. */
      if (sums == 1 && op->extent[d] % TT_TILE != 0 && op->extent[d] <= LARGEST_SIDE * TT_TILE &&
          op->extent[d] > 0)
        continue;
      bool stepped = sums > 1 || op->extent[d] < 0 || op->extent[d] > step * TT_TILE;
      if (stepped && (!group->step || step * TT_TILE < group->step)) group->step = step * TT_TILE;
    }
  }
}

/* The next size of a block along a loop, after `tile` (0: the first); 0 after the last. */
static int64_t next_size(int64_t extent, int64_t tile) {
  int64_t next = tile + TT_TILE;
  if (extent > 0 && tile >= extent) return 0;
  if (next > LARGEST_SIDE * TT_TILE) return 0;
  return next;
}

static bool choose_tile(TtModelGraph *g, TtModelGroup *group, int64_t cores, int64_t l1_bytes) {
  const TtModelOp *root = &g->ops[group->root];
  int64_t rows, cols, best_tile[TT_MODEL_LOOPS];
  double best = INFINITY;
  matrix_loops(g, group, &rows, &cols);
  choose_step(g, group);
  for (intptr_t d = 0; d < root->loops; ++d) group->tile[d] = 1;
  bool free_rows = rows >= 0 && !group->whole[rows], free_cols = cols >= 0 && !group->whole[cols];
  for (int64_t r = free_rows ? next_size(root->extent[rows], 0) : 1; r;
       r = free_rows ? next_size(root->extent[rows], r) : 0)
    for (int64_t c = free_cols ? next_size(root->extent[cols], 0) : 1; c;
         c = free_cols ? next_size(root->extent[cols], c) : 0) {
      if (free_rows) group->tile[rows] = r;
      if (free_cols) group->tile[cols] = c;
      if (tt_model_l1(g, group) > l1_bytes) continue;
      double time = time_of(g, group, cores);
      if (time > best) continue;
      best = time;
      memcpy(best_tile, group->tile, sizeof best_tile);
    }
  if (best == INFINITY) return false;
  memcpy(group->tile, best_tile, sizeof best_tile);
  group->time = best;
  return true;
}

/* A sum alone that does not fit goes in steps. */
bool tt_model_tile(TtModelGraph *g, TtModelGroup *group, int64_t cores, int64_t l1_bytes) {
  group->sum_step = 0;
  if (choose_tile(g, group, cores, l1_bytes)) return true;
  const TtModelOp *root = &g->ops[group->root];
  if (root->kind != TT_MODEL_REDUCTION) return false;
  group->sum_step = LARGEST_SIDE * TT_TILE;
  return choose_tile(g, group, cores, l1_bytes);
}
