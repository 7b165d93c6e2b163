/*===- split_rows_cost.c - what rows on several cores take
 * ---------------------------------------===
 *
 *   8 tiles a core of 600 clk each, and two reductions over 4 cores, in two steps of 1,000 clk
 * each: reads, then 8 * 600 + 4 * 1,000, then writes
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

/* The engine's time for a tile of a row: math, or unpack where that is longer. */
static double tile_clk(const TtRows *r) {
  const TtCosts *costs = tt_costs(r->target.chip);
  double math = 0, unpack = 0;
  bool row = false;
  for (intptr_t i = 0; i < r->ops.n; ++i) {
    MlirOperation op = r->ops.data[i];
    const TtOpInfo *info = tt_op_info(op);
    if (info->does != TT_ACT_COMPUTE) continue;
    double bytes = 0;
    for (int j = 0; j < info->num_reads; ++j) {
      row |= tt_is_row(r, tt_op_reads(op, j));
      bytes += (double)tt_tile_bytes(tt_op_reads(op, j));
    }
    if (row) {
      math += info->unit == TT_UNIT_SFPU ? vector_clk(r, op)
                                         : tt_math_clk(costs, TT_MATH_copy, TT_FIDELITIES);
      if (bytes > 0)
        unpack += tt_unpack_clk(r->target.chip, costs, (uint64_t)bytes, info->num_reads < 2);
    }
    if (!tt_is_null_value(tt_op_fills(op))) row = false;
  }
  return math > unpack ? math : unpack;
}

static double bytes_of(const TtRows *r, bool in) {
  double bytes = 0;
  for (intptr_t i = 0; i < r->moves.n; ++i) {
    TtMove move;
    if (tt_move_of(r->moves.data[i], &move) && move.in == in && move.rank > 1)
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

/* The first units are read by all cores, then computed while others are read, and the last are
 * written. */
double tt_split_clk(const void *rows, const TtGroups *g) {
  const TtRows *r = rows;
  const TtChip *chip = r->target.chip;
  double cores = (double)g->cores, part = 1.0 / (double)g->parts,
         dram = (double)(chip->bank_bytes_per_clk * chip->dram_banks),
         port = (double)chip->noc_bytes_per_clk, rate = cores * port < dram ? cores * port : dram,
         reads = cores * bytes_of(r, true) * part / rate + vectors_clk(r, g),
         writes = cores * bytes_of(r, false) * part / rate,
         compute = (double)r->tiles * part * tile_clk(r);
  for (intptr_t i = 0; g->parts > 1 && i < r->reductions.n; ++i)
    compute += tt_gather_clk(
        chip, r->wide, tt_reduce_is_max(tt_fpu_reduce_op(r->reductions.data[i])), 1, g->parts);
  double step = compute > reads ? compute : reads;
  return reads + compute + (double)(g->each - 1) * step + writes;
}
