/*===- cut_cost.c - what it costs to cut a kernel's tiles in units ----------------------------===
 *
 *   33 x 33 tiles of results, a tile of K a step, on 64 cores of Wormhole:
 *   121 units of 3 x 3     math 2 * 9 * 64 clk, and 121 * 6 tiles come from DRAM:    5,630 clk
 *   49 units of 5 x 5      math 25 * 64 clk, and 70 tiles from DRAM, each once:      1,600 clk
 *
 * The longest of what math takes on the busiest core, what DRAM takes for all, and what an operand
 * takes on its way to a core; a core that reads for others sends what it has read. Of the others a
 * tenth counts as well: they do not overlap altogether.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/cut_cost.h"

#include "Analysis/product_cost.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Target/costs.h"
#include "Transforms/Optimize/core_groups.h"

/* Of the time of a unit, that until the next one's first block is there, and its results have left:
 * 3 units of 16 tiles, with 24 steps of K, took half as long again as one of 48. */
static const double BETWEEN = 0.1;

TtCutSteps tt_cut_steps(TtArena *arena, MlirOperation func, const TtBlockAxes *axes) {
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  TtCutSteps s = {.func = func, .axes = axes, .products = tt_collect(arena, func, "tt.mm.mma")};
  for (intptr_t i = 0; i < reads.n; ++i) {
    bool of_step = false;
    for (intptr_t j = 0; j < s.products.n; ++j)
      of_step |= tt_op_eq(tt_parent(reads.data[i]), tt_parent(s.products.data[j]));
    if (of_step) tt_ops_add(arena, &s.reads, reads.data[i]);
  }
  return s;
}

static bool has(TtOps ops, MlirOperation op) {
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_eq(ops.data[i], op)) return true;
  return false;
}

/* The tiles of a circular buffer along a side. */
static int64_t side_of(const TtCutSteps *s, const int64_t tiles[3], MlirValue cb, int side) {
  MlirType type = mlirValueGetType(cb);
  for (int i = 0; i < 3; ++i) {
    const TtBlockAxis *axis = &s->axes->axes[i];
    if (!axis->reason && has(side ? axis->cols : axis->rows, tt_defining_op(cb))) return tiles[i];
  }
  return side ? tt_cb_cols(type) : tt_cb_rows(type);
}

int64_t tt_cut_result(const TtCutSteps *s, const int64_t tiles[3]) {
  int64_t most = 0;
  for (intptr_t i = 0; i < s->products.n; ++i) {
    MlirOperation mma = s->products.data[i];
    int turned = !mlirAttributeIsNull(tt_mm_mma_transpose_b(mma));
    int64_t all =
        side_of(s, tiles, tt_mm_mma_a(mma), 0) * side_of(s, tiles, tt_mm_mma_b(mma), !turned);
    if (all > most) most = all;
  }
  return most;
}

/* What math takes for a step of a unit. */
static double math_of(const TtCutSteps *s, const int64_t tiles[3]) {
  const TtSubBlock part = {2, 2};
  double clk = 0;
  for (intptr_t i = 0; i < s->products.n; ++i) {
    MlirValue a = tt_mm_mma_a(s->products.data[i]), b = tt_mm_mma_b(s->products.data[i]);
    int64_t rows = side_of(s, tiles, a, 0),
            others = side_of(s, tiles, b, 0) * side_of(s, tiles, b, 1);
    clk +=
        (double)(rows * others) * tt_product_clk(s->func, part, tt_tile_bytes(a), tt_tile_bytes(b));
  }
  return clk;
}

/* How many different blocks all units read at a step; those that a core reads again for its next
 * unit along x count again. */
static int64_t blocks_of(const TtCutSteps *s, const int64_t cells[3], int64_t rounds,
                         MlirOperation read) {
  const TtBlockAxis *x = &s->axes->axes[0];
  int64_t again = x->reason || has(x->moves, read) ? 1 : rounds;
  return again * tt_blocks_along(s->axes, cells, read);
}

static int64_t bytes_of(const TtCutSteps *s, const int64_t tiles[3], MlirOperation read) {
  MlirValue cb = tt_read_to_cb_cb(read);
  return side_of(s, tiles, cb, 0) * side_of(s, tiles, cb, 1) * tt_tile_bytes(cb);
}

int64_t tt_cut_bytes(const TtCutSteps *s, const int64_t tiles[3]) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < s->reads.n; ++i) bytes += bytes_of(s, tiles, s->reads.data[i]);
  return bytes;
}

double tt_cut_clk(const TtCutSteps *s, const int64_t tiles[3], const int64_t cells[3], bool lines) {
  TtTarget target = tt_target_of(s->func);
  const TtChip *chip = target.chip;
  int64_t units = cells[0] * cells[1] * cells[2], cores = target.grid_x * target.grid_y,
          rounds = (units + cores - 1) / cores;
  double math = (double)rounds * math_of(s, tiles), dram = 0, way = 0;
  for (intptr_t i = 0; i < s->reads.n; ++i) {
    double bytes = (double)bytes_of(s, tiles, s->reads.data[i]),
           link = (double)rounds * bytes / (double)chip->noc_bytes_per_clk;
    int64_t blocks = blocks_of(s, cells, rounds, s->reads.data[i]);
    bool shared = lines && blocks < units;
    dram += bytes * (double)(shared ? blocks : units) /
            (double)(chip->dram_banks * chip->bank_bytes_per_clk);
    if (shared) link *= 2;
    if (link > way) way = link;
  }
  double most = math > dram ? math : dram;
  if (way > most) most = way;
  return (most + (math + dram + way - most) / 10) * (1 + BETWEEN * (double)(rounds - 1));
}

/* Of a tile: of the vector unit, or of unpacking what the op reads. */
static double op_of_tile_clk(MlirOperation func, MlirOperation op) {
  const TtChip *chip = tt_target_of(func).chip;
  const TtCosts *costs = tt_costs(chip);
  bool wide = tt_dst_is_32bit(func);
  if (tt_sfpu_unary_isa(op)) return tt_sfpu_clk(costs, (int)tt_sfpu_unary_op(op), wide);
  if (tt_sfpu_combine_isa(op)) return tt_sfpu_clk(costs, (int)tt_sfpu_combine_op(op), wide);
  double bytes = 0;
  for (int i = 0; i < tt_op_info(op)->num_reads; ++i)
    bytes += (double)tt_tile_bytes(tt_op_reads(op, i));
  return bytes > 0 ? tt_unpack_clk(chip, costs, (uint64_t)bytes, false) : 0;
}

static bool is_of_step(const TtCutSteps *s, MlirOperation op) {
  for (intptr_t i = 0; i < s->products.n; ++i)
    if (mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(s->products.data[i])))
      return true;
  return false;
}

/* The steps of the loop around a product; 1 where they are not known. */
static double steps_of(MlirOperation mma) {
  MlirOperation loop = tt_parent(mma);
  int64_t at[3];
  if (!tt_op_is(loop, "scf.for")) return 1;
  for (int i = 0; i < 3; ++i)
    if (!tt_constant(mlirOperationGetOperand(loop, i), &at[i])) return 1;
  return at[2] > 0 && at[1] > at[0] ? (double)((at[1] - at[0] + at[2] - 1) / at[2]) : 1;
}

double tt_cut_after_clk(TtArena *arena, const TtCutSteps *s) {
  TtOps ops = tt_collect(arena, s->func, NULL);
  double clk = 0;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_info(ops.data[i])->does == TT_ACT_COMPUTE && !is_of_step(s, ops.data[i]))
      clk += op_of_tile_clk(s->func, ops.data[i]);
  return s->products.n > 0 ? clk / steps_of(s->products.data[0]) : clk;
}
