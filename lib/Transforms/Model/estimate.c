/*===- estimate.c - what a kernel of a model holds and takes, about ---------------------------===
 *
 * Of a group with its blocks: bytes that a unit holds in L1, units of work, and the time of the
 * busiest core, which is that of its engines, or of what its NoC or DRAM bring; the first step's
 * reading comes before any work. Before passes have lowered anything this is
 * rough; it only has to put plans in the right order.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/graph.h"

#include "Dialect/shapes.h"
#include "Target/costs.h"

#include "mlir-c/AffineExpr.h"

#include <math.h>
#include <string.h>

static int64_t tiles(int64_t elements) { return (elements + TT_TILE - 1) / TT_TILE; }

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

/* Bytes of the block of operand `i` of `op` in a unit: whole tiles of its last two dimensions that
 * have more than one element (one head of [tokens, heads, features] is a matrix of the core). */
static int64_t block_bytes(const TtModelGraph *g, const TtModelOp *op, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, i));
  if (!mlirTypeIsAShaped(type)) return 0;
  MlirAffineMap map = tt_indexing_map(op->op, i);
  int64_t bytes = tt_element_bytes(mlirShapedTypeGetElementType(type));
  int sides = 2; /* of a tile, still to come */
  for (intptr_t r = mlirAffineMapGetNumResults(map); r-- > 0;) {
    int64_t loop = tt_map_loop(map, r),
            n = loop < 0 ? quotient_block(g, op, map, r, type) : tt_model_block(g, op, loop);
    if (n > 1) bytes *= sides-- > 0 ? tiles(n) * TT_TILE : n;
  }
  for (; sides > 0; --sides) bytes *= TT_TILE;
  return bytes;
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
    if (op->group != index || op->kind == TT_MODEL_FILL || op->kind == TT_MODEL_GATHER) continue;
    intptr_t inputs = tt_linalg_num_inputs(op->op);
    for (intptr_t j = 0; j < inputs; ++j)
      if (!is_inside(g, op, j) && !is_repeated(op, j)) bytes += 2 * block_bytes(g, op, j);
    bytes += 2 * block_bytes(g, op, inputs);
  }
  return bytes;
}

/* What an op takes, with the buffers in which compute kernels turn, spread and scale; a sum along
 * what fills no tiles also blanks the rest. */
enum { OP_BUFFERS = 2, SUM_BUFFERS = 3 };

static intptr_t own_buffers(const TtModelOp *op) {
  intptr_t buffers = op->kind == TT_MODEL_REDUCTION ? SUM_BUFFERS : OP_BUFFERS;
  for (intptr_t d = 0; op->kind == TT_MODEL_REDUCTION && d < op->loops; ++d)
    if (!op->parallel[d] && op->extent[d] % TT_TILE != 0) return buffers + 1;
  return buffers;
}

intptr_t tt_model_buffers(const TtModelGraph *g, const TtModelGroup *group) {
  intptr_t buffers = 0, index = group - g->groups;
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != index || op->kind == TT_MODEL_FILL) continue;
    buffers += own_buffers(op);
    for (intptr_t j = 0; j < tt_linalg_num_inputs(op->op); ++j)
      buffers += !is_inside(g, op, j) && !is_repeated(op, j);
  }
  return buffers;
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

/* Whether units are a rectangle of cores with a line for each block of rows and of columns: then
 * each operand has one reader a line, which sends it to the others. */
static bool is_rectangle(const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  for (intptr_t d = 0; d < root->loops; ++d) {
    if (!root->parallel[d] || group->whole[d]) continue;
    int64_t blocks = blocks_along(root->extent[d], group->tile[d]);
    if (blocks > (d == group->rows ? g->target.grid_y : d == group->cols ? g->target.grid_x : 1))
      return false;
  }
  return true;
}

/* What a unit works and reads, and how much less all units read where they share operands: all of
 * them, or the one with which that saves most; and what a unit has of those. */
typedef struct Work {
  double engine, bytes, saved, most_saved, shared, most_shared, steps;
} Work;

static void add_work(const TtModelGraph *g, const TtModelOp *op, double units, Work *work) {
  const TtCosts *costs = tt_costs(g->target.chip);
  bool product = op->kind == TT_MODEL_PRODUCT;
  work->engine += unit_tiles(g, op) * (product ? tt_math_clk(costs, TT_MATH_matmul, TT_FIDELITIES)
                                               : map_clk(op, costs));
  if (product) work->engine += spill_clk(g, op, &g->target);
  work->steps = fmax(work->steps, num_steps(g, op));
  for (intptr_t j = 0; j < tt_linalg_num_inputs(op->op); ++j) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, j));
    if (is_inside(g, op, j) || is_repeated(op, j) || !mlirTypeIsAShaped(type)) continue;
    double read = num_steps(g, op) * (double)block_bytes(g, op, j),
           saved = fmax(units * read - elements_of(type), 0);
    work->bytes += read;
    work->saved += saved;
    if (saved > 0) work->shared += read;
    if (saved > work->most_saved) work->most_saved = saved, work->most_shared = read;
  }
}

double tt_model_time(const TtModelGraph *g, const TtModelGroup *group) {
  const TtChip *chip = g->target.chip;
  double cores = (double)(g->target.grid_x * g->target.grid_y),
         units = (double)tt_model_units(g, group), waves = ceil(units / cores);
  Work work = {.steps = 1};
  for (intptr_t i = 0; i < g->n; ++i)
    if (g->ops[i].group == group - g->groups && g->ops[i].kind != TT_MODEL_FILL)
      add_work(g, &g->ops[i], units, &work);
  double dram = (double)chip->bank_bytes_per_clk * chip->dram_banks,
         noc = (double)chip->noc_bytes_per_clk;
  bool all = is_rectangle(g, group);
  double saved = all ? work.saved : work.most_saved,
         sent = all ? work.shared : work.most_shared; /* on, by the core that reads it */
  double read =
      fmax(waves * work.bytes / noc, (units * work.bytes - saved) / dram) + waves * sent / noc;
  return fmax(waves * work.engine, read) + read / (waves * work.steps);
}
