/*===- gather_sums.c - --tt-gather-sums ---------------------------------------------------------===
 *
 * Has a loop add up the tiles of which it sums rows, and sums the rows of what came of it once.
 *
 *   before  fill 0 -> %s
 *           for {
 *             tt.fpu.reduce sum_row, %w, %ones, dst = 0                     (r x k tiles)
 *             tt.fpu.mul_add %s, %f, dst = 0 -> %s                          (one number a row)
 *           }
 *           … %s …
 *   after   fill 0 -> %s
 *           for {
 *             tt.fpu.add_sum sum_row, %w, dst = 0
 *             tt.fpu.mul_add %s, %f bcast cols, dst = 0 -> %s               (32 numbers a row)
 *           }
 *           tt.fpu.reduce sum_row, %s, %ones, dst = 0 -> %t
 *           … %t …                             (or where %s is copied to DST, for that alone)
 *
 * and where what came so far is not scaled:
 *
 *   before  tt.fpu.reduce sum_row, %w, %ones, dst = 0 -> %r
 *           tt.copy_to_dst %s, dst = 0   tt.copy_to_dst %r, dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0 -> %s
 *   after   tt.copy_to_dst %s, dst = 0   tt.fpu.add_sum sum_row, %w, dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0 -> %s
 *
 * A sum of rows is a product with ones, for which the FPU takes a tile in all phases of its
 * fidelity; two tiles are added in the time that unpack needs to bring them, half of that each. The
 * factor of what was summed so far is the same for all of a row. Done in DST of 32 bits, where a
 * sum has all bits of its terms, for blocks of 16 bits, and where that saves more than the sum
 * behind the loop takes. The order of additions is another: first those of the tiles, then those in
 * one; and it is the sum's parts that pass the source registers, not the sum.
 *
 * Requires tile intrinsics (C2), before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Target/costs.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-gather-sums";

/* A sum of rows, or of columns, that a loop goes on with. */
typedef struct Gather {
  TtArena *arena;
  MlirOperation func, reduce;
  MlirOperation sum;  /* the op that adds to what came so far, a tt.fpu.mul_add, or */
  MlirOperation term; /* a tt.sfpu.combine, for which this copies what is added, and */
  MlirOperation old;  /* this what came so far; both null with a tt.fpu.mul_add */
  MlirOperation loop, fill;
  MlirOperation close; /* of the sum, behind the loop */
  MlirValue cb, ones;  /* that holds it */
  TtOps readers;       /* behind the loop */
} Gather;

static bool is_zero_fill(MlirOperation op) {
  return tt_sfpu_unary_isa(op) && tt_sfpu_unary_op(op) == TT_SFPU_FILL &&
         mlirFloatAttrGetValueDouble(tt_sfpu_unary_scalar(op)) == 0;
}

/* s = s * f + rows of w, in one section */
static bool find_scaled(Gather *g) {
  MlirOperation op = tt_next_at_work(g->reduce);
  if (mlirOperationIsNull(op) || !tt_fpu_mul_add_isa(op) ||
      !mlirAttributeIsNull(tt_fpu_mul_add_bcast(op)) || tt_op_dst(op) != tt_op_dst(g->reduce) ||
      tt_is_null_value(tt_fpu_mul_add_out(op)) ||
      !tt_value_eq(tt_fpu_mul_add_a(op), tt_fpu_mul_add_out(op)))
    return false;
  g->sum = op, g->cb = tt_fpu_mul_add_out(op);
  return true;
}

/* s = s + r, of two copies, where r is the rows of w and nothing else takes it */
static bool find_added(Gather *g) {
  MlirValue rows = tt_fpu_reduce_out(g->reduce), terms = tt_fpu_reduce_a(g->reduce);
  if (!tt_is_between_two(rows)) return false;
  MlirOperation first = tt_next_at_work(g->reduce);
  while (!mlirOperationIsNull(first) && !tt_is_plain_copy(first)) {
    if (mlirOperationGetNumRegions(first) > 0) return false;
    first = tt_next_at_work(first);
  }
  MlirOperation second = mlirOperationIsNull(first) ? first : tt_next_at_work(first);
  if (mlirOperationIsNull(second) || !tt_is_plain_copy(second)) return false;
  bool late = tt_value_eq(tt_copy_to_dst_a(second), rows);
  g->term = late ? second : first, g->old = late ? first : second;
  g->sum = tt_next_at_work(second), g->cb = tt_copy_to_dst_a(g->old);
  if (mlirOperationIsNull(g->sum) || !tt_value_eq(tt_copy_to_dst_a(g->term), rows) ||
      !tt_sfpu_combine_isa(g->sum) || tt_sfpu_combine_op(g->sum) != TT_SFPU_ADD ||
      tt_is_null_value(tt_sfpu_combine_out(g->sum)) ||
      !tt_value_eq(tt_sfpu_combine_out(g->sum), g->cb))
    return false;
  /* Until then nobody has taken the terms, nor ended them. */
  for (MlirOperation op = tt_next(g->reduce); !tt_op_eq(op, g->term); op = tt_next(op))
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (tt_value_eq(mlirOperationGetOperand(op, i), terms)) return false;
  MlirAttribute sources = tt_sfpu_combine_sources(g->sum);
  int64_t a = mlirDenseI64ArrayGetElement(sources, 0), b = mlirDenseI64ArrayGetElement(sources, 1),
          mine = tt_op_dst(g->term), others = tt_op_dst(g->old);
  return mine != others && ((a == mine && b == others) || (a == others && b == mine));
}

/*===- Uses ----------------------------------------------------------------------------------===*/

/* Before the loop the sum is zero, in it nothing else takes it, and behind it there is one end. */
static const char *place_use(Gather *g, MlirOperation op) {
  MlirBlock around = mlirOperationGetBlock(g->loop);
  MlirOperation at = tt_ancestor_in(around, op);
  if (mlirOperationIsNull(at)) return "it is used outside of the block that the loop is in";
  if (tt_op_eq(at, g->loop)) {
    bool known = tt_op_eq(op, g->sum) || tt_op_eq(op, g->old) ||
                 tt_acts_on(op, TT_ACT_OPEN, g->cb) || tt_acts_on(op, TT_ACT_CLOSE, g->cb);
    return known ? NULL : "the loop takes it for more than the sum";
  }
  if (tt_is_before(at, g->loop)) {
    if (tt_acts_on(op, TT_ACT_OPEN, g->cb)) return NULL;
    if (!tt_op_eq(at, op) || !mlirOperationIsNull(g->fill)) return "it has a value before";
    g->fill = op;
    return NULL;
  }
  if (tt_acts_on(op, TT_ACT_CLOSE, g->cb)) {
    if (!tt_op_eq(at, op) || !mlirOperationIsNull(g->close)) return "it ends in several places";
    g->close = op;
    return NULL;
  }
  MlirValue out = tt_op_fills(op);
  if (tt_op_info(op)->does != TT_ACT_COMPUTE || (!tt_is_null_value(out) && tt_value_eq(out, g->cb)))
    return "it gets another value behind the loop";
  tt_ops_add(g->arena, &g->readers, op);
  return NULL;
}

static const char *place_uses(Gather *g) {
  for (MlirOpOperand use = mlirValueGetFirstUse(g->cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    const char *reason = place_use(g, mlirOpOperandGetOwner(use));
    if (reason) return reason;
  }
  if (mlirOperationIsNull(g->fill) || !is_zero_fill(g->fill)) return "it does not begin at zero";
  return mlirOperationIsNull(g->close) || g->readers.n == 0 ? "nothing takes it behind the loop"
                                                            : NULL;
}

/* Whether the loop leaves nothing in DST for what follows, and has its ones from outside. */
static bool ends_clean(const Gather *g) {
  TtOps ops = tt_collect(g->arena, g->loop, NULL);
  bool open = false;
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtAct does = tt_op_info(ops.data[i])->does;
    if (does == TT_ACT_PACK_BLOCK) open = false;
    else if (does == TT_ACT_COMPUTE) open = tt_is_null_value(tt_op_fills(ops.data[i]));
    if (tt_acts_on(ops.data[i], TT_ACT_OPEN, g->ones) ||
        tt_acts_on(ops.data[i], TT_ACT_CLOSE, g->ones))
      return false;
  }
  return !open;
}

/*===- Whether it pays -----------------------------------------------------------------------===*/

/* What sums of rows take in the loop, gathered or not, and what is behind it, in clk. */
static bool pays(const Gather *g) {
  enum { SOME_STEPS = 2 }; /* where their number is not known */
  const TtChip *chip = tt_target_of(g->func).chip;
  const TtCosts *costs = tt_costs(chip);
  MlirValue terms = tt_fpu_reduce_a(g->reduce);
  MlirType type = mlirValueGetType(terms);
  uint64_t bytes = tt_element_tile_bytes(tt_cb_type_element_type(type)),
           wide = tt_element_tile_bytes(tt_cb_type_element_type(mlirValueGetType(g->cb)));
  TtMathFidelity fidelity = TT_MATH_FIDELITY_HIFI4;
  tt_math_fidelity_parse(tt_string(tt_get_attr(g->func, "tt.math_fidelity")), &fidelity);
  double product = tt_math_clk(costs, TT_MATH_matmul, (int)fidelity + 1),
         add = tt_math_clk(costs, TT_MATH_add, TT_FIDELITIES) / 2.0,
         brought = tt_unpack_clk(chip, costs, 2 * bytes, false) / 2.0;
  int64_t lower, upper, step, steps = SOME_STEPS;
  if (tt_constant(mlirOperationGetOperand(g->loop, 0), &lower) &&
      tt_constant(mlirOperationGetOperand(g->loop, 1), &upper) &&
      tt_constant(mlirOperationGetOperand(g->loop, 2), &step) && step > 0)
    steps = (upper - lower + step - 1) / step;
  double saved = product - (add > brought ? add : brought),
         behind = product + tt_unpack_clk(chip, costs, wide, true) +
                  tt_pack_clk(costs, (uint32_t)(wide / (TT_TILE * TT_TILE)), false) +
                  2 * costs->step[TT_COST_section];
  return saved * (double)(steps * tt_cb_tiles(type)) >
         behind * (double)tt_cb_tiles(mlirValueGetType(g->cb));
}

static const char *why_not(Gather *g) {
  uint64_t bytes =
      tt_element_tile_bytes(tt_cb_type_element_type(mlirValueGetType(tt_fpu_reduce_a(g->reduce))));
  if (bytes > 2 * TT_TILE * TT_TILE)
    return "unpack brings two of its tiles no sooner than FPU sums";
  if (!mlirTypeIsAF32(tt_cb_type_element_type(mlirValueGetType(g->cb))))
    return "it is not kept as f32";
  const char *reason = place_uses(g);
  if (reason) return reason;
  if (!ends_clean(g)) return "the loop leaves a result in DST";
  return pays(g) ? NULL : "that takes longer";
}

/*===- The loop ------------------------------------------------------------------------------===*/

static void gather_in_loop(const Gather *g) {
  MlirLocation loc = mlirOperationGetLocation(g->reduce);
  TtReduce op = tt_fpu_reduce_op(g->reduce);
  MlirContext context = mlirOperationGetContext(g->func);
  MlirValue none = {NULL};
  if (!mlirOperationIsNull(g->term)) {
    TtBuilder b = tt_builder_before(g->term);
    tt_fpu_add_sum_create(&b, loc, op, tt_fpu_reduce_a(g->reduce), tt_op_dst(g->term), none);
    mlirOperationDestroy(g->term);
    return;
  }
  TtBuilder b = tt_builder_before(g->reduce);
  tt_fpu_add_sum_create(&b, loc, op, tt_fpu_reduce_a(g->reduce), tt_op_dst(g->reduce), none);
  int bcast = tt_reduce_is_row(op) ? TT_BCAST_COLS : TT_BCAST_ROWS;
  mlirOperationSetInherentAttributeByName(g->sum, tt_str("bcast"), tt_i32_attr(context, bcast));
}

/* The op that copies the sum to DST, first in its section, and is all that takes it; else null. */
static MlirOperation only_copy(const Gather *g) {
  MlirOperation none = {NULL}, copy = g->readers.data[0], before = none;
  if (g->readers.n > 1 || !tt_copy_to_dst_isa(copy) ||
      !tt_is_null_value(tt_copy_to_dst_out(copy)) ||
      !mlirAttributeIsNull(tt_copy_to_dst_transpose(copy)) ||
      !mlirBlockEqual(mlirOperationGetBlock(copy), mlirOperationGetBlock(g->loop)))
    return none;
  for (MlirOperation op = g->loop; !tt_op_eq(op, copy); op = tt_next_at_work(op)) before = op;
  bool first = tt_op_eq(before, g->loop) || !tt_is_null_value(tt_op_fills(before));
  return first ? copy : none;
}

/* Rows are summed where the sum is copied to DST, or for all that take it. */
static void reduce_behind(const Gather *g) {
  MlirLocation loc = mlirOperationGetLocation(g->reduce);
  TtReduce op = tt_fpu_reduce_op(g->reduce);
  MlirOperation copy = only_copy(g);
  if (!mlirOperationIsNull(copy)) {
    TtBuilder at = tt_builder_before(copy);
    tt_fpu_reduce_create(&at, mlirOperationGetLocation(copy), op, g->cb, g->ones, tt_op_dst(copy),
                         (MlirValue){NULL});
    mlirOperationDestroy(copy);
    return;
  }
  MlirType type = mlirValueGetType(g->cb);
  MlirValue total = tt_new_block(g->func, loc, "total", tt_cb_rows(type), tt_cb_cols(type),
                                 tt_cb_type_element_type(type));
  TtBuilder b = tt_builder_after(g->loop);
  tt_fpu_reduce_create(&b, loc, op, g->cb, g->ones, 0, total);
  tt_cb_close_create(&b, loc, g->cb);
  tt_cb_open_create(&b, loc, total);
  for (intptr_t i = 0; i < g->readers.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(g->readers.data[i]); ++j)
      if (tt_value_eq(mlirOperationGetOperand(g->readers.data[i], j), g->cb))
        mlirOperationSetOperand(g->readers.data[i], j, total);
  mlirOperationSetOperand(g->close, 0, total);
}

static bool gather_sums(TtArena *arena, MlirOperation func) {
  TtOps reductions = tt_collect(arena, func, "tt.fpu.reduce");
  if (!tt_dst_is_32bit(func)) return true;
  for (intptr_t i = 0; i < reductions.n; ++i) {
    Gather g = {.arena = arena, .func = func, .reduce = reductions.data[i]};
    g.loop = tt_parent(g.reduce), g.ones = tt_fpu_reduce_ones(g.reduce);
    bool stays = tt_is_null_value(tt_fpu_reduce_out(g.reduce)); /* in DST */
    if (tt_reduce_is_max(tt_fpu_reduce_op(g.reduce)) || !tt_op_is(g.loop, "scf.for") ||
        !(stays ? find_scaled(&g) : find_added(&g)))
      continue;
    const char *reason = why_not(&g);
    if (reason) {
      tt_remark(g.reduce, TT_REMARK_MISSED, pass, "its rows are summed in each step: %s", reason);
      continue;
    }
    tt_remark(g.reduce, TT_REMARK_PASSED, pass,
              "the loop adds up its tiles, whose rows are summed once");
    reduce_behind(&g);
    gather_in_loop(&g);
    MlirValue rows = tt_fpu_reduce_out(g.reduce);
    mlirOperationDestroy(g.reduce);
    if (!stays) mlirOperationDestroy(tt_defining_op(rows)); /* where they waited */
  }
  return true;
}

bool tt_run_gather_sums(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, gather_sums);
}
