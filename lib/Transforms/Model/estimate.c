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
#include "Transforms/Model/slice.h"
#include "Transforms/Optimize/core_groups.h"

#include "mlir-c/AffineExpr.h"

#include <math.h>
#include <string.h>

static int64_t tiles(int64_t elements) { return (elements + TT_TILE - 1) / TT_TILE; }

/* A product of integers has steps of its own in a kernel, as long as they are exact
 * (--tt-split-products): one of `step` that has all elements, or none where it is one sum. */
static int64_t step_of_product(const TtModelOp *op, int64_t step) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op->op, 0));
  if (!step || !mlirTypeIsAInteger(mlirShapedTypeGetElementType(type))) return step;
  int64_t sums = 0, last = 0;
  for (intptr_t d = 0; d < op->loops; ++d) {
    sums += !op->parallel[d];
    if (tt_model_is_last(op, d)) last = op->extent[d];
  }
  return sums == 1 ? 0 : last > 0 ? tiles(last) * TT_TILE : step;
}

int64_t tt_model_step(const TtModelGraph *g, const TtModelOp *op) {
  const TtModelGroup *group = &g->groups[op->group];
  int64_t step = op->kind == TT_MODEL_PRODUCT     ? step_of_product(op, group->step)
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

/*===- Rows on several cores ---------------------------------------------------------------===*/

/* Sums or maxima along whole rows, of which a unit has 32; 0 where --tt-split-rows does not deal
 * their columns to several cores. */
static intptr_t row_sums(const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  intptr_t sums = 0;
  int64_t rows = group->rows, cols = group->cols;
  if (!g->splits_rows || rows < 0 || cols < 0 || group->tile[rows] != TT_TILE) return 0;
  if (root->extent[cols] % TT_TILE != 0) return 0;
  if (!group->whole[cols] && group->tile[cols] < root->extent[cols]) return 0;
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != group - g->groups || op->kind == TT_MODEL_FILL) continue;
    if (op->kind == TT_MODEL_PRODUCT || op->kind == TT_MODEL_GATHER) return 0;
    sums += op->kind == TT_MODEL_REDUCTION;
  }
  return sums;
}

/* Whether `units` rows of `parts` cores each are a rectangle of the grid, as --tt-split-rows wants
 * it: a row's cores are in one line. */
static bool has_rectangle(const TtTarget *target, int64_t units, int64_t parts) {
  for (int64_t width = parts; width <= target->grid_x; width += parts)
    if (units * parts % width == 0 && units * parts / width <= target->grid_y) return true;
  return false;
}

static bool may_part(const TtModelGraph *g, const TtModelGroup *group, int64_t parts) {
  int64_t cols = tiles(g->ops[group->root].extent[group->cols]);
  return cols % parts == 0 && has_rectangle(&g->target, tt_model_units(g, group), parts);
}

/* The most cores that a row may be on; long ones are. */
static int64_t most_parts(const TtModelGraph *g, const TtModelGroup *group) {
  int64_t most = 1;
  if (row_sums(g, group) == 0) return most;
  for (int64_t parts = 2; parts <= TT_MOST_PARTS; parts *= 2)
    if (may_part(g, group, parts)) most = parts;
  return most;
}

/* On how many cores a row is, of which each step of a sum has two put together what they know; and
 * what they wait for that. */
static int64_t row_parts(const TtModelGraph *g, const TtModelGroup *group, double engine,
                         double *wait) {
  enum { STEP_CLK = 1500 }; /* packed, signalled, read, added */
  intptr_t sums = row_sums(g, group);
  int64_t best = 1;
  double least = engine;
  *wait = 0;
  for (int64_t parts = 2, steps = 1; sums > 0 && parts <= TT_MOST_PARTS; parts *= 2, ++steps) {
    double waits = (double)(steps * sums * STEP_CLK), clk = engine / (double)parts + waits;
    if (clk < least && may_part(g, group, parts)) least = clk, best = parts, *wait = waits;
  }
  return best;
}

/* Whether a unit has all of a result along a loop whose steps are not known: no buffer of a core is
 * as large as that may be. */
static bool is_open(const TtModelGraph *g, const TtModelOp *op) {
  MlirAffineMap out = tt_indexing_map(op->op, tt_linalg_num_inputs(op->op));
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(out); ++r) {
    int64_t loop = tt_map_loop(out, r);
    if (loop >= 0 && tt_model_block(g, op, loop) < 0) return true;
  }
  return false;
}

int64_t tt_model_l1(const TtModelGraph *g, const TtModelGroup *group) {
  int64_t bytes = 0, index = group - g->groups;
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != index || op->kind == TT_MODEL_FILL || op->kind == TT_MODEL_GATHER) continue;
    intptr_t inputs = tt_linalg_num_inputs(op->op);
    if (i != group->root && is_open(g, op)) return INT64_MAX;
    for (intptr_t j = 0; j < inputs; ++j)
      if (!is_inside(g, op, j) && !is_repeated(op, j)) bytes += 2 * block_bytes(g, op, j);
    bytes += 2 * block_bytes(g, op, inputs) * (op->leaves ? 2 : mlirOperationGetNumResults(op->op));
  }
  return bytes / most_parts(g, group);
}

int64_t tt_model_block_tiles(const TtModelGraph *g, const TtModelOp *op, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, i));
  return block_bytes(g, op, i) /
         (tt_element_bytes(mlirShapedTypeGetElementType(type)) * TT_TILE * TT_TILE);
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

/* Integers that are spread along a side of the blocks, as rows and columns are, go byte by byte. */
static intptr_t spread_buffers(const TtModelOp *op, intptr_t input) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, input));
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) == 0) return 0;
  MlirType element = mlirShapedTypeGetElementType(type);
  bool spread = mlirShapedTypeGetRank(type) < op->loops;
  return spread && mlirTypeIsAInteger(element) ? (intptr_t)tt_element_bytes(element) : 0;
}

intptr_t tt_model_buffers(const TtModelGraph *g, const TtModelGroup *group) {
  intptr_t buffers = 0, index = group - g->groups;
  for (intptr_t i = 0; i < g->n; ++i) {
    const TtModelOp *op = &g->ops[i];
    if (op->group != index || op->kind == TT_MODEL_FILL) continue;
    buffers += own_buffers(op) + op->leaves;
    for (intptr_t j = 0; j < tt_linalg_num_inputs(op->op); ++j) {
      if (!is_inside(g, op, j) && !is_repeated(op, j)) ++buffers;
      buffers += spread_buffers(op, j);
    }
  }
  return buffers;
}

int64_t tt_model_units(const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  int64_t units = 1;
  for (intptr_t d = 0; d < root->loops; ++d)
    if (root->parallel[d] && !group->whole[d])
      units *= tt_model_blocks_along(root->extent[d], group->tile[d]);
  return units;
}

/*===- Time --------------------------------------------------------------------------------===*/

/* Tiles of the iteration space of `op` in a unit: of the last two loops that have more than one
 * step there, as blocks of tensors have (block_bytes), once for each of the others; of a product,
 * of its last three loops. */
static double unit_tiles(const TtModelGraph *g, const TtModelOp *op) {
  double n = 1;
  int matrix = op->kind == TT_MODEL_PRODUCT ? 3 : 2;
  for (intptr_t d = op->loops; d-- > 0;) {
    int64_t block =
        op->parallel[d] || op->kind != TT_MODEL_PRODUCT ? tt_model_block(g, op, d) : op->extent[d];
    if (block <= 0) block = 1024;
    if (block > 1 || op->kind == TT_MODEL_PRODUCT)
      n *= matrix-- > 0 ? (double)tiles(block) : (double)block;
  }
  return n;
}

/* A sum or product of f32: two tiles are unpacked in 131 clk, or the vector unit has them. */
static bool is_wide(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1 &&
         mlirTypeIsAF32(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* What the engine of a core takes for a tile of an op that is no product. */
static double map_clk(const TtModelOp *op, const TtCosts *costs) {
  double clk = 0;
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_body(op->op)); !mlirOperationIsNull(in);
       in = tt_next(in)) {
    MlirStringRef name = tt_op_name(in);
    bool special = name.length > 5 && strncmp(name.data, "math.", 5) == 0;
    clk += tt_op_is(in, "linalg.yield")            ? 0
           : special || tt_op_is(in, "arith.divf") ? tt_vector_clk(costs, TT_VECTOR_EXP, true)
           : is_wide(in)
               ? tt_vector_clk(costs, TT_VECTOR_ADD_DST, true)
               : (double)tt_math_clk(costs, TT_MATH_add, 1) + tt_pack_clk(costs, 4, false);
  }
  return clk;
}

static double num_steps(const TtModelGraph *g, const TtModelOp *op) {
  double steps = 1;
  int64_t step = tt_model_step(g, op);
  for (intptr_t d = 0; step && d < op->loops; ++d)
    if (!op->parallel[d])
      steps *= (double)tt_model_blocks_along(op->extent[d], tt_model_is_last(op, d) ? step : 1);
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

/* What a unit works, and how much of that are products; what it reads, and how much less all units
 * read where they share operands: all of them, or the one with which that saves most; and what a
 * unit has of those. */
typedef struct Work {
  double engine, products, bytes, saved, most_saved, shared, most_shared, steps;
  int num_products, num_sums;
} Work;

static void add_work(const TtModelGraph *g, const TtModelOp *op, double units, Work *work) {
  const TtCosts *costs = tt_costs(g->target.chip);
  bool product = op->kind == TT_MODEL_PRODUCT;
  work->engine += unit_tiles(g, op) * (product ? tt_math_clk(costs, TT_MATH_matmul, TT_FIDELITIES)
                                               : map_clk(op, costs));
  if (product) work->engine += spill_clk(g, op, &g->target), work->products = work->engine;
  work->num_products += product, work->num_sums += op->kind == TT_MODEL_REDUCTION;
  if (op->leaves) /* --tt-keep-blocks copies it */
    work->engine += unit_tiles(g, op) * ((double)tt_math_clk(costs, TT_MATH_copy_to_dst, 1) +
                                         tt_pack_clk(costs, 4, false));
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

/* What a unit after another takes beside its work: inits, the first block of its operands where the
 * buffers hold no more, its sums' way out. Measured on products, with functions after them as well.
 */
static const double WAVE_CLK = 4000;

/* Units one after the other, of which each reads while the one before works. Of the first one,
 * steps of a product are read while others are summed, and functions follow the last one; of other
 * units, all but a step. */
static double pipelined_clk(const Work *work, double waves, double read) {
  double each = fmax(work->engine, read), first = work->engine + read / work->steps;
  if (work->num_products != 1 || work->num_sums > 0) return waves * each + read / work->steps;
  first = fmax(first, read + work->products / work->steps + work->engine - work->products);
  return (waves - 1) * each + first;
}

/* Transfers of half a row of a tile each that a block of the root is. */
static double half_rows(const TtModelGraph *g, const TtModelGroup *group, intptr_t cols) {
  enum { FACE = TT_TILE / 2 };
  const TtModelOp *root = &g->ops[group->root];
  double n = 1;
  for (intptr_t d = 0; d < root->loops; ++d) {
    int64_t block = tt_model_block(g, root, d);
    n *= (double)(block > 0 ? block : 1024) / (d == cols ? FACE : 1);
  }
  return n;
}

/* Rows that go to a tensor at a place inside of its tiles go there half a row of a tile at a time,
 * as rows that are gathered come, and each such transfer takes the time of the smallest. */
static double moves_clk(const TtModelGraph *g, const TtModelGroup *group) {
  const TtModelOp *root = &g->ops[group->root];
  double moves = tt_model_parts_rows(root) ? half_rows(g, group, root->loops - 1) : 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(root->op, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    TtSlice slice;
    if (!tt_op_is(user, "tensor.insert_slice") || mlirOpOperandGetOperandNumber(use) != 0 ||
        !tt_slice_read(user, &slice) || slice.rank < 2)
      continue;
    const TtSize *at = &slice.offset[slice.rank - 2];
    if (tt_is_null_value(at->value) && at->number % TT_TILE == 0) continue;
    moves = fmax(moves, half_rows(g, group, group->cols));
  }
  return moves * (double)g->target.chip->noc_issue;
}

double tt_model_time(const TtModelGraph *g, const TtModelGroup *group) {
  const TtChip *chip = g->target.chip;
  double cores = (double)(g->target.grid_x * g->target.grid_y),
         units = (double)tt_model_units(g, group), waves = ceil(units / cores), wait;
  Work work = {.steps = 1};
  for (intptr_t i = 0; i < g->n; ++i)
    if (g->ops[i].group == group - g->groups && g->ops[i].kind != TT_MODEL_FILL)
      add_work(g, &g->ops[i], units, &work);
  double parts = (double)row_parts(g, group, work.engine, &wait);
  if (parts > 1) {
    units *= parts;
    work.engine = work.engine / parts + wait;
    work.bytes /= parts, work.shared /= parts, work.most_shared /= parts;
  }
  double dram = (double)chip->bank_bytes_per_clk * chip->dram_banks,
         noc = (double)chip->noc_bytes_per_clk;
  int sharing = tt_model_shared_operands(g, group);
  double saved = sharing == 2 ? work.saved : sharing * work.most_saved,
         sent = sharing == 2 ? work.shared : sharing * work.most_shared, /* by who reads it */
      own = work.bytes, again = sent;
  /* Of one unit, cores send what they share on one processor and read the rest on the other
   * (--tt-use-both-movers); of several, one does both, one after the other. */
  bool product = work.num_products == 1 && work.num_sums == 0;
  if (waves > 1 && product && sharing == 1) own -= sent, again += sent;
  double read = fmax(waves * own / noc, (units * work.bytes - saved) / dram) + waves * again / noc;
  work.engine = fmax(work.engine, moves_clk(g, group)); /* movers work then, in its place */
  return pipelined_clk(&work, waves, read / waves) + (waves - 1) * WAVE_CLK;
}
