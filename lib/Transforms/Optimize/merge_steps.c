/*===- merge_steps.c - --tt-merge-steps -----------------------------------------------------===
 *
 * Makes several steps of a loop over products one, which brings longer blocks: as short as hide
 * what a transfer takes, so that the first is there soon, or else as long as L1 holds two of, with
 * some steps left so that data movement and math overlap: one alone, and no loop, where all
 * products take less than it takes to wait for a block.
 *
 *   before  for %k = 0 to 2048 step 32 {
 *             tt.read_to_cb %A[%m, %k], %a              (8x1 tiles)
 *             tt.read_to_cb %B[%k, %n], %b              (1x8 tiles)
 *             tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0
 *           }
 *   after   for %k = 0 to 2048 step 256 {
 *             tt.read_to_cb %A[%m, %k], %a              (8x8 tiles)
 *             tt.read_to_cb %B[%k, %n], %b              (8x8 tiles)
 *             tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0
 *           }
 *
 * Partial sums leave DST less often, and transfers wait for each other less. Where parts of a sum
 * leave DST, or a core has another unit to read for meanwhile, the buffers hold as many blocks as
 * L1 has room for, up to four. Legal where the
 * loop does nothing but read both operands of its products, perhaps to be turned (a transposed
 * first one), block after block along the summed dimension, and each product has its own sum: then
 * each sum adds the same products in the same order. Where no number of steps divides them, as 31,
 * the last of the longer ones ends behind both tensors, and multiplies zeros there. Changes no
 * result.
 *
 * Requires tile intrinsics (C2), before the graph of C3. Remarks say which loops, and why not.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Analysis/product_cost.h"
#include "Analysis/sharing.h"
#include "Analysis/sums.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Target/schedule.h"
#include "Transforms/Optimize/step_operands.h"
#include "Transforms/Optimize/unwrap.h"

static const char *const pass = "tt-merge-steps";

/*===- How many ------------------------------------------------------------------------------===*/

/* Bytes of L1 that the operands take with blocks `factor` times as long, `depth` of each. */
static int64_t bytes_with(const TtStepLoop *l, TtDfg *dfg, int64_t factor, int64_t depth) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < l->n; ++i) {
    const TtCB *cb = tt_dfg_cb(dfg, l->operands[i].cb);
    int64_t blocks = mlirOperationIsNull(l->operands[i].turn) ? depth : cb->depth;
    bytes += blocks * factor * tt_cb_tiles(cb->type) * tt_cb_page_bytes(dfg, cb);
  }
  return bytes;
}

/* Bytes of L1 for the operands. */
static int64_t bytes_left(const TtStepLoop *l, TtDfg *dfg) {
  int64_t left = tt_l1_left(dfg);
  for (intptr_t i = 0; i < l->n; ++i) {
    const TtCB *cb = tt_dfg_cb(dfg, l->operands[i].cb);
    left += cb->depth * tt_cb_tiles(cb->type) * tt_cb_page_bytes(dfg, cb);
  }
  return left;
}

static bool spills(const TtStepLoop *l, MlirOperation func) {
  TtSumMap sums = tt_analyze_sums(l->arena, func);
  return tt_must_spill(&sums, l->products.data[0], tt_dst_capacity(func));
}

/* Of one product of tiles of `op`. */
static double tile_product_clk(TtDfg *dfg, MlirOperation op, TtSubBlock part) {
  return tt_product_clk(dfg->func, part, tt_cb_page_bytes(dfg, tt_dfg_cb(dfg, tt_mm_mma_a(op))),
                        tt_cb_page_bytes(dfg, tt_dfg_cb(dfg, tt_mm_mma_b(op))));
}

static TtSubBlock joined_part(const TtDfg *dfg, MlirOperation op) {
  TtProductShape s = tt_product_shape(op);
  return tt_joined_part(s.r, s.c, tt_dst_capacity(dfg->func));
}

/* Of the products of a step. */
static double step_clk(const TtStepLoop *l, TtDfg *dfg) {
  double clk = 0;
  for (intptr_t i = 0; i < l->products.n; ++i) {
    MlirOperation op = l->products.data[i];
    TtProductShape s = tt_product_shape(op);
    clk += (double)(s.r * s.c * s.k) * tile_product_clk(dfg, op, joined_part(dfg, op));
  }
  return clk;
}

/* Whether steps of `factor` are long enough to hide what a transfer takes however short it is,
 * and, where parts of the sum leave DST, that the packer adds them, and that what each of them
 * takes beside its products is little. */
static bool is_long_enough(const TtStepLoop *l, TtDfg *dfg, int64_t factor, bool spilled) {
  for (intptr_t i = 0; spilled && i < l->products.n; ++i) {
    MlirOperation op = l->products.data[i];
    TtSubBlock part = joined_part(dfg, op);
    double tile = (double)(tt_product_shape(op).k * factor) * tile_product_clk(dfg, op, part);
    if (tile < tt_pack_onto_clk(dfg->func, tt_dst_is_32bit(dfg->func)) ||
        tile * (double)(part.rows * part.cols) < TT_LEAST_SECTION_CLK)
      return false;
  }
  return (double)factor * step_clk(l, dfg) >= TT_LEAST_STEP_CLK;
}

/* Steps of `factor` that there are. */
static int64_t merged(const TtStepLoop *l, int64_t factor) {
  return (l->steps + factor - 1) / factor;
}

/* Of n steps, each waits for its blocks, and math has the last one to itself: n · wait + all / n is
 * least where n² is all / wait. */
static int64_t least_steps(const TtStepLoop *l, TtDfg *dfg) {
  double all = (double)l->steps * step_clk(l, dfg);
  int64_t n = 1;
  while (n < TT_LEAST_STEPS && (double)(n * n) * TT_WAIT_CLK < all) ++n;
  return n;
}

static bool fits(const TtStepLoop *l, TtDfg *dfg, int64_t factor) {
  return factor * tt_product_shape(l->products.data[0]).k <= TT_MOST_SUMMED_TILES &&
         merged(l, factor) >= least_steps(l, dfg) &&
         bytes_with(l, dfg, factor, TT_DEFAULT_DEPTH) <= bytes_left(l, dfg);
}

/* The smallest that is long enough, so that the first block is there soon, or else the largest
 * that leaves `TT_LEAST_STEPS` steps; of those that fit. `waste`: steps that end behind the
 * tensors, in which zeros are multiplied. */
static int64_t choose_of(const TtStepLoop *l, TtDfg *dfg, bool spilled, int64_t waste) {
  int64_t best = 1;
  for (int64_t factor = 1; factor <= l->steps; ++factor) {
    if (merged(l, factor) * factor - l->steps > waste || !fits(l, dfg, factor)) continue;
    best = factor;
    if (is_long_enough(l, dfg, factor, spilled)) break;
  }
  return best;
}

/* How many of the last blocks lie behind each other in a circular buffer of `depth`. */
static int64_t last_blocks(int64_t steps, int64_t depth) {
  int64_t n = depth < steps ? depth : steps;
  while (n > 1 && (steps - n) % depth + n > depth) --n;
  return n;
}

/* The depth with which most of the last of `steps` blocks, `factor` times as long as those of the
 * operands, lie behind each other, of those that L1 has room for. */
static int64_t best_depth(const TtStepLoop *l, TtDfg *dfg, int64_t factor, int64_t steps) {
  int64_t most = TT_MOST_STAGES, left = bytes_left(l, dfg);
  while (most > TT_DEFAULT_DEPTH && bytes_with(l, dfg, factor, most) > left) --most;
  int64_t depth = most;
  for (int64_t less = most; less-- > TT_DEFAULT_DEPTH;)
    if (last_blocks(steps, less) > last_blocks(steps, depth)) depth = less;
  return depth;
}

/* Steps, as the kernel has them, in the last one that --tt-lengthen-last-step can make. */
static int64_t last_steps(const TtStepLoop *l, TtDfg *dfg, int64_t factor) {
  int64_t steps = merged(l, factor);
  return factor * last_blocks(steps, best_depth(l, dfg, factor, steps));
}

/* Where a sum of `factor` would have a last step like the others, as of 13 steps, a factor with
 * which the last one is longer, by more than is multiplied by zeros: results leave while it runs.
 */
static int64_t with_longer_last(const TtStepLoop *l, TtDfg *dfg, int64_t factor, int64_t most) {
  int64_t best = factor, gain = factor;
  if (last_steps(l, dfg, factor) > factor) return factor;
  for (int64_t other = 2; other <= 2 * factor; ++other) {
    int64_t waste = merged(l, other) * other - l->steps;
    if (waste > most || !fits(l, dfg, other) || !is_long_enough(l, dfg, other, true)) continue;
    int64_t last = last_steps(l, dfg, other);
    if (last > other && last - waste > gain) best = other, gain = last - waste;
  }
  return best;
}

/* Steps that divide the loop; where these are short, as of a prime number of them, others, of
 * which the last one is shorter, by as little as may be. */
static int64_t choose(const TtStepLoop *l, TtDfg *dfg, bool spilled) {
  int64_t most = tt_may_end_behind(l) ? l->steps / TT_WASTED_STEPS : 0, waste = 0,
          longest = choose_of(l, dfg, spilled, most), factor;
  bool could = is_long_enough(l, dfg, longest, spilled);
  for (; factor = choose_of(l, dfg, spilled, waste), factor < longest; ++waste)
    if (could ? is_long_enough(l, dfg, factor, spilled) : 2 * factor >= longest) break;
  return spilled ? with_longer_last(l, dfg, factor, most) : factor;
}

/*===- The loop ------------------------------------------------------------------------------===*/

static void merge(TtStepLoop *l, TtDfg *dfg, int64_t factor) {
  MlirContext context = mlirOperationGetContext(l->op);
  for (intptr_t i = 0; i < l->n; ++i) {
    MlirType type = mlirValueGetType(l->operands[i].cb);
    int64_t shape[2] = {tt_cb_rows(type), tt_cb_cols(type)};
    shape[l->operands[i].side] *= factor;
    mlirValueSetType(l->operands[i].cb,
                     tt_cb_type_get(context, 2, shape, tt_cb_type_element_type(type)));
    if (mlirOperationIsNull(l->operands[i].turn))
      tt_set_cb_depth(dfg, l->operands[i].cb, TT_DEFAULT_DEPTH);
  }
  for (intptr_t i = 0; l->steps % factor != 0 && i < l->n; ++i)
    if (!mlirOperationIsNull(l->operands[i].read))
      mlirOperationSetInherentAttributeByName(l->operands[i].read, tt_str("partial"),
                                              mlirUnitAttrGet(context));
  TtBuilder b = tt_builder_before(l->op);
  mlirOperationSetOperand(l->op, 2,
                          tt_index(&b, mlirOperationGetLocation(l->op), l->step * factor));
}

/* Whether a product replaces what is in DST in the first step, and adds to it in others. */
static bool starts_with_loop(const TtStepLoop *l, MlirOperation product) {
  enum { NE = 1 }; /* of arith::CmpIPredicate */
  MlirOperation compare = tt_defining_op(tt_mm_mma_accumulate(product));
  int64_t from;
  return tt_op_is(compare, "arith.cmpi") && tt_int(tt_op_attr(compare, "predicate")) == NE &&
         tt_value_eq(mlirOperationGetOperand(compare, 0), tt_for_iv(l->op)) &&
         tt_constant(mlirOperationGetOperand(compare, 1), &from) && from == l->lower;
}

/* What one step reads stands beside what is read around it then, and comes with that. */
static void unwrap(const TtStepLoop *l) {
  enum { ACCUMULATE = 2 }; /* of tt.mm.mma's operands */
  bool starts = l->lower == 0;
  for (intptr_t i = 0; i < l->products.n; ++i) starts &= starts_with_loop(l, l->products.data[i]);
  if (!starts) return;
  TtBuilder b = tt_builder_before(l->op);
  MlirValue no = tt_bool(&b, mlirOperationGetLocation(l->op), false);
  for (intptr_t i = 0; i < l->products.n; ++i)
    mlirOperationSetOperand(l->products.data[i], ACCUMULATE, no);
  tt_unwrap(l->op);
}

/* Whether a core has several units: the first steps of the next one are read while the results of
 * one leave, and what else it computes with them. */
static bool has_next_unit(TtArena *arena, MlirOperation func) {
  TtCoreTable cores;
  if (!tt_unit_cores(arena, func, &cores)) return false;
  for (int64_t c = 0; c < cores.n; ++c)
    if (cores.values[c * cores.num_names + 1] > 1) return true;
  return false;
}

/* Blocks of each operand: where parts of the sum leave DST, as many as --tt-lengthen-last-step
 * has a use for and L1 has room for; where another unit comes, as many as its first steps. */
static void deepen(TtStepLoop *l, TtDfg *dfg) {
  int64_t depth = best_depth(l, dfg, 1, merged(l, l->factor));
  for (intptr_t i = 0; depth > TT_DEFAULT_DEPTH && i < l->n; ++i)
    if (mlirOperationIsNull(l->operands[i].turn) &&
        tt_dfg_cb(dfg, l->operands[i].cb)->depth < depth)
      tt_set_cb_depth(dfg, l->operands[i].cb, depth);
}

static bool multiplies(MlirOperation loop) {
  MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop));
  while (!tt_is_terminator(op) && !tt_mm_mma_isa(op)) op = tt_next(op);
  return !tt_is_terminator(op);
}

/* Decides about a loop; true where it may have deeper buffers. False after an error in `*ok`. */
static bool merge_loop(TtStepLoop *l, MlirOperation func, bool local, bool *ok) {
  TtDfg dfg;
  if (!multiplies(l->op)) return false;
  bool fits = tt_collect_step(l);
  if (fits && local)
    l->reason = "its blocks may be those of a shard that is in place", fits = false;
  if (!fits || !tt_can_merge_steps(l)) {
    tt_remark(l->op, TT_REMARK_MISSED, pass, "steps are not merged: %s", l->reason);
    return false;
  }
  *ok = tt_complete_short_form(l->arena, func) && tt_analyze_dfg(l->arena, func, &dfg);
  if (!*ok) return false;
  bool spilled = spills(l, func);
  int64_t factor = choose(l, &dfg, spilled);
  l->factor = factor;
  if (factor > 1) merge(l, &dfg, factor);
  tt_remark(l->op, factor > 1 ? TT_REMARK_PASSED : TT_REMARK_MISSED, pass,
            factor > 1 ? "%jd steps are made %jd"
                       : "its %jd steps stay %jd: they are long enough, L1 has no room for longer "
                         "blocks, or few are left",
            (intmax_t)l->steps, (intmax_t)merged(l, factor));
  if (merged(l, factor) == 1) unwrap(l);
  return spilled || has_next_unit(l->arena, func);
}

static bool merge_in_kernel(TtArena *arena, MlirOperation func) {
  TtOps loops = tt_collect(arena, func, "scf.for");
  TtStepLoop *deep = tt_arena_alloc(arena, (size_t)(loops.n + 1) * sizeof *deep);
  intptr_t n = 0;
  bool local = tt_str_eq(tt_string(tt_get_attr(func, "tt.partition_mode")), "local_shard"),
       ok = true;
  for (intptr_t i = 0; i < loops.n && ok; ++i) {
    deep[n] = (TtStepLoop){.arena = arena, .op = loops.data[i]};
    if (merge_loop(&deep[n], func, local, &ok)) ++n;
  }
  for (intptr_t i = 0; i < n && ok; ++i) {
    TtDfg dfg;
    ok = tt_analyze_dfg(arena, func, &dfg);
    if (ok) deepen(&deep[i], &dfg);
  }
  return ok;
}

bool tt_run_merge_steps(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, merge_in_kernel);
}
