/*===- split_rows_cost.c - what rows on several cores take ------------------------------------===
 *
 *   an RMS norm of 1 x 16 tiles, in two parts: half of its tiles are read while they are squared,
 *   the two cores put together what they have, and half is multiplied with the root and written
 *
 *   clk = overlapped(reads, 8 * 66) + 1,400 + root + overlapped(writes, 8 * 164)
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/split_rows.h"

#include "Dialect/op_info.h"
#include "Target/costs.h"

/* Whether the section of an op is stored as bf16. */
static bool is_packed_to_bf16(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = tt_next(op)) {
    MlirValue out = tt_op_fills(op);
    if (!tt_is_null_value(out))
      return mlirTypeIsABF16(tt_cb_type_element_type(mlirValueGetType(out)));
  }
  return false;
}

/* Whether later passes take an op off the vector unit: scales of what is summed (--tt-sum-products)
 * and products and sums with what is broadcast (--tt-use-fpu). */
static bool leaves_vector_unit(MlirOperation op) {
  if (tt_sfpu_unary_isa(op)) return tt_sfpu_unary_op(op) == TT_SFPU_MUL_SCALAR;
  if (!tt_sfpu_combine_isa(op)) return false;
  TtSfpu function = tt_sfpu_combine_op(op);
  return (function == TT_SFPU_MUL || function == TT_SFPU_ADD) && is_packed_to_bf16(op);
}

/* The function of an op of the vector unit. */
static double vector_clk(const TtRows *r, MlirOperation op) {
  if (leaves_vector_unit(op))
    return tt_math_clk(tt_costs(r->target.chip), TT_MATH_mul, TT_FIDELITIES);
  return tt_sfpu_clk(tt_costs(r->target.chip), (int)tt_int(tt_op_attr(op, "op")), r->wide);
}

/* Whether a block is computed here: its sum is one of products then (--tt-sum-products), which is
 * not unpacked again. */
static bool is_computed(MlirValue cb) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tt_op_info(user)->does == TT_ACT_COMPUTE && tt_value_eq(tt_op_fills(user), cb)) return true;
  }
  return false;
}

static double unpack_clk(const TtRows *r, MlirOperation op) {
  double bytes = 0;
  int n = tt_op_info(op)->num_reads;
  if (tt_fpu_reduce_isa(op) && !tt_reduce_is_max(tt_fpu_reduce_op(op)) &&
      is_computed(tt_fpu_reduce_a(op)))
    return 0;
  for (int i = 0; i < n; ++i) bytes += (double)tt_tile_bytes(tt_op_reads(op, i));
  return bytes > 0 ? tt_unpack_clk(r->target.chip, tt_costs(r->target.chip), (uint64_t)bytes, n < 2)
                   : 0;
}

/* The engine's time for a tile of a row, math or unpack where that is longer: up to the first
 * reduction, which overlaps with reads; from there to the last, for which the whole row must be
 * there; and behind it, which overlaps with writes. And that for what is known of a row. */
typedef struct Phases {
  double tile[3], row;
} Phases;

static bool takes_row(const TtRows *r, MlirOperation op) {
  for (int i = 0; i < tt_op_info(op)->num_reads; ++i)
    if (tt_is_row(r, tt_op_reads(op, i))) return true;
  return false;
}

static Phases engine_clk(const TtRows *r) {
  const TtCosts *costs = tt_costs(r->target.chip);
  Phases phases = {{0}, 0};
  double unpack[3] = {0};
  intptr_t reductions = 0;
  bool row = false;
  int phase = 0;
  for (intptr_t i = 0; i < r->ops.n; ++i) {
    MlirOperation op = r->ops.data[i];
    if (tt_op_info(op)->does != TT_ACT_COMPUTE) continue;
    row |= takes_row(r, op);
    double math = tt_op_info(op)->unit == TT_UNIT_SFPU
                      ? vector_clk(r, op)
                      : tt_math_clk(costs, TT_MATH_copy, TT_FIDELITIES);
    *(row ? &phases.tile[phase] : &phases.row) += math;
    if (row) unpack[phase] += unpack_clk(r, op);
    if (reductions < r->reductions.n && tt_op_eq(op, r->reductions.data[reductions]))
      phase = ++reductions < r->reductions.n ? 1 : 2;
    if (!tt_is_null_value(tt_op_fills(op))) row = false;
  }
  for (int i = 0; i < 3; ++i)
    if (phases.tile[i] < unpack[i]) phases.tile[i] = unpack[i];
  return phases;
}

/* Whether an earlier op moves what this one does, which is fetched once (--tt-fetch-once). */
static bool moves_again(const TtRows *r, intptr_t number) {
  TtMove move, other;
  tt_move_of(r->moves.data[number], &move);
  for (intptr_t i = 0; i < number; ++i)
    if (tt_move_of(r->moves.data[i], &other) && other.in == move.in &&
        tt_value_eq(other.tensor, move.tensor))
      return true;
  return false;
}

static double bytes_of(const TtRows *r, bool in) {
  double bytes = 0;
  for (intptr_t i = 0; i < r->moves.n; ++i) {
    TtMove move;
    if (tt_move_of(r->moves.data[i], &move) && move.in == in && move.rank > 1 && !moves_again(r, i))
      bytes += (double)tt_tile_bytes(move.cb) * (double)r->tiles;
  }
  return bytes;
}

/* What a core's reader takes to ask for the first rows of its vectors' tiles, two faces of each,
 * where cores do not share them. */
static double vectors_clk(const TtRows *r, const TtGroups *g) {
  double tiles = 0;
  for (intptr_t i = 0; g->down && i < r->moves.n; ++i) {
    TtMove move;
    if (tt_move_of(r->moves.data[i], &move) && move.in && move.rank == 1)
      tiles += (double)r->tiles / (double)g->parts;
  }
  return 2 * tiles * (double)r->target.chip->call;
}

/* Two things that overlap, and do so half of the time: parts of blocks wait for each other, and
 * cores for each other's transfers. */
static double overlapped(double a, double b) { return a > b ? a + b / 2 : b + a / 2; }

/* The first units are read by all cores and computed, while others are read, and the last are
 * written. What comes from DRAM goes down the column of the core that it is for, and what goes
 * there up. */
double tt_split_clk(const void *rows, const TtGroups *g) {
  const TtRows *r = rows;
  const TtChip *chip = r->target.chip;
  const Phases engine = engine_clk(r);
  double cores = (double)g->cores, tiles = (double)r->tiles / (double)g->parts,
         dram = (double)(chip->bank_bytes_per_clk * chip->dram_banks),
         links = (double)(g->width * (int64_t)chip->noc_bytes_per_clk),
         rate = g->width < r->target.grid_x && links < dram ? links : dram,
         reads = cores * bytes_of(r, true) / (double)g->parts / rate + vectors_clk(r, g),
         writes = cores * bytes_of(r, false) / (double)g->parts / rate;
  double first = tiles * engine.tile[0], last = tiles * engine.tile[2],
         middle = tiles * engine.tile[1] + engine.row;
  for (intptr_t i = 0; g->parts > 1 && i < r->reductions.n; ++i)
    middle += tt_gather_clk(chip, r->wide,
                            tt_reduce_is_max(tt_fpu_reduce_op(r->reductions.data[i])), 1, g->parts);
  double compute = first + middle + last, step = compute > reads ? compute : reads;
  return overlapped(reads, first) + middle + overlapped(writes, last) +
         (double)(g->each - 1) * step;
}
