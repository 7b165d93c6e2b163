/*===- split_sums.c - --tt-split-sums -----------------------------------------------------------===
 *
 * Deals the steps of a sum of products to several cores, which add up what they have.
 *
 *   before  2 units of a tile on 2 cores
 *           for %k = 0 to 4096 step 32 {
 *             tt.read_to_cb %A[%m, %k], %a; tt.read_to_cb %B[%k, %n], %b
 *             tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0
 *           }
 *           tt.sfpu.unary tanh, dst = 0; tt.pack_to_cb dst = 0 -> %c
 *           tt.write_from_cb %c, %C[%m, %n]
 *   after   16 units on 8 x 2 cores
 *           for %k = 0 to 512 step 32 {
 *             %at = %part * 512 + %k
 *             tt.read_to_cb %A[%m, %at], %a; tt.read_to_cb %B[%at, %n], %b
 *             tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0
 *           }
 *           tt.pack_to_cb dst = 0 -> %own
 *           tt.gather_parts %own -> %both apart = 1 … in steps               (1x1 to 1x2)
 *           if %part == 0 { the sum of %both in tile 0 of DST; tanh, pack and write as before }
 *
 * A product of few tiles and many steps, as of a skinny matrix, so uses the cores that it has no
 * tiles for. Legal where a unit is one loop that reads blocks and multiplies them, its sums begin
 * at zero with its first step, and L1 has room for parts of them. The products are added in another
 * order. Done where the cost model gains a fifth.
 *
 * Requires tile intrinsics (C2), after --tt-fit-units and before --tt-merge-steps. Leaves the work
 * as B1 would have split it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/block_axes.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Analysis/product_cost.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Target/schedule.h"
#include "Transforms/Optimize/core_groups.h"
#include "Transforms/Optimize/unwrap.h"
#include "Transforms/Partition/partition.h"
#include "Transforms/Protocol/given.h"

static const char *const pass = "tt-split-sums";

enum { LEAST_GAIN = 5 }; /* a fifth */

typedef struct Kernel {
  TtArena *arena;
  MlirOperation func, loop;
  TtTarget target;
  MlirBlock body; /* what is done for a unit */
  int64_t units, steps, step;
  TtOps products;       /* of a step */
  TtProductShape shape; /* of a product; its sum has r x c tiles */
  int64_t next;         /* the first tile of DST that is none of a sum */
  TtBlockAxes axes;     /* of its units, */
  bool has_axes;        /* where these are known */
  TtOps reads;          /* of a step */
  double clk;           /* of its products */
  bool wide;            /* DST has 32 bits */
} Kernel;

/*===- What is in a unit ----------------------------------------------------------------------===*/

/* The only loop of a unit, which stands before all else that the unit does. */
static const char *find_loop(Kernel *k) {
  for (MlirOperation op = mlirBlockGetFirstOperation(k->body); !tt_is_terminator(op);
       op = tt_next(op)) {
    bool is_loop = tt_op_is(op, "scf.for"), found = !mlirOperationIsNull(k->loop);
    if (found ? mlirOperationGetNumRegions(op) > 0
              : !is_loop && tt_op_info(op)->level != TT_LEVEL_OTHER && !tt_alloc_cb_isa(op))
      return "its units do more than sum in one loop, and go on with the sum";
    if (is_loop) k->loop = op;
  }
  return mlirOperationIsNull(k->loop) ? "" : NULL;
}

static const char *read_bounds(Kernel *k) {
  int64_t lower, upper;
  if (!tt_constant(mlirOperationGetOperand(k->loop, 0), &lower) ||
      !tt_constant(mlirOperationGetOperand(k->loop, 1), &upper) ||
      !tt_constant(mlirOperationGetOperand(k->loop, 2), &k->step) || k->step < 1)
    return "the bounds of its loop are known only when the kernel runs";
  if (upper <= lower) return "its loop has no steps";
  k->steps = (upper - lower + k->step - 1) / k->step;
  return NULL;
}

static const char *check_product(Kernel *k, MlirOperation op) {
  TtProductShape shape = tt_product_shape(op);
  MlirType element = tt_cb_type_element_type(mlirValueGetType(tt_mm_mma_a(op)));
  if (!tt_is_null_value(tt_mm_mma_out(op))) return "a product of its loop is no sum over its steps";
  if (k->products.n > 0 && (shape.r != k->shape.r || shape.c != k->shape.c))
    return "its sums have blocks of several shapes";
  if (!tt_is_later_step(tt_mm_mma_accumulate(op), k->loop))
    return "its sum does not begin with zero";
  if (mlirTypeIsAInteger(element)) return "it sums integers";
  if (!k->wide && !mlirTypeIsABF16(element))
    return "parts of its sums would be rounded to 16 bits that it does not have";
  for (intptr_t i = 0; i < k->products.n; ++i)
    if (tt_op_dst(k->products.data[i]) == tt_op_dst(op))
      return "two products add to one sum, in turn";
  if (tt_op_dst(op) == k->next) ++k->next;
  if (tt_op_dst(op) >= tt_dst_capacity(k->func)) return "DST has no tiles for parts of all sums";
  k->shape = shape;
  tt_ops_add(k->arena, &k->products, op);
  int64_t a = tt_tile_bytes(tt_mm_mma_a(op)), b = tt_tile_bytes(tt_mm_mma_b(op));
  TtSubBlock part = tt_joined_part(shape.r, shape.c, tt_dst_capacity(k->func));
  k->clk += (double)(shape.r * shape.k * shape.c) * tt_product_clk(k->func, part, a, b);
  return NULL;
}

/* A step reads blocks, and multiplies them. */
static const char *check_steps(Kernel *k) {
  MlirBlock body = tt_for_body(k->loop);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !tt_is_terminator(op);
       op = tt_next(op)) {
    const char *reason = NULL;
    if (tt_mm_mma_isa(op)) reason = check_product(k, op);
    else if (tt_read_to_cb_isa(op)) tt_ops_add(k->arena, &k->reads, op);
    else if (mlirOperationGetNumRegions(op) > 0 ||
             (tt_op_info(op)->level != TT_LEVEL_OTHER && !tt_alloc_cb_isa(op)))
      reason = "its steps do more than read operands and multiply them";
    if (reason) return reason;
  }
  if (k->products.n == 0) return "";
  return k->next < tt_dst_capacity(k->func) ? NULL : "DST has no tiles for parts of all sums";
}

/*===- How to split it ------------------------------------------------------------------------===*/

static double bytes_of(MlirOperation read) {
  MlirValue cb = tt_read_to_cb_cb(read);
  return (double)(tt_tile_bytes(cb) * tt_cb_tiles(mlirValueGetType(cb)));
}

/* Whether all units take the same of a tensor at a step: the cores that have one part of their sums
 * are a rectangle, to which it can be sent. */
static bool is_common(const Kernel *k, MlirOperation read) {
  int64_t cells[3];
  for (int i = 0; i < 3; ++i) cells[i] = k->axes.axes[i].cells;
  return k->has_axes && tt_blocks_along(&k->axes, cells, read) == 1;
}

/* A core reads while it multiplies, as many steps at a time as --tt-merge-steps makes one. What is
 * `sent` comes from DRAM once, and goes over links twice. */
static double clk_of(const Kernel *k, const TtGroups *g, bool sent) {
  const TtChip *chip = k->target.chip;
  int64_t merged = k->shape.k < TT_MOST_SUMMED_TILES ? TT_MOST_SUMMED_TILES / k->shape.k : 1;
  double steps = (double)(k->steps / g->parts * g->each), from_dram = 0,
         dram = (double)(chip->bank_bytes_per_clk * chip->dram_banks),
         read = (double)chip->read_latency[TT_READ_OTHER] / (double)merged;
  for (intptr_t i = 0; i < k->reads.n; ++i) {
    bool once = sent && is_common(k, k->reads.data[i]);
    double bytes = bytes_of(k->reads.data[i]);
    read += (once ? 2 : 1) * bytes / (double)chip->noc_bytes_per_clk;
    from_dram += (double)(once ? k->steps : k->units * k->steps) * bytes;
  }
  double clk = steps * (k->clk > read ? k->clk : read);
  return clk < from_dram / dram ? from_dram / dram : clk;
}

static double groups_clk(const void *kernel, const TtGroups *g) {
  const Kernel *k = kernel;
  double clk = clk_of(k, g, false), sent = clk_of(k, g, true);
  if (sent < clk) clk = sent;
  for (intptr_t i = 0; g->parts > 1 && i < k->products.n; ++i)
    clk += tt_gather_clk(k->target.chip, k->wide, false, k->shape.r * k->shape.c, g->parts);
  return clk;
}

static bool has_room(const Kernel *k, const TtGroups *g) {
  TtDfg dfg;
  int64_t page = (k->wide ? 4 : 2) * TT_TILE * TT_TILE;
  return tt_analyze_dfg(k->arena, k->func, &dfg) &&
         tt_l1_left(&dfg) >= k->products.n * tt_gather_tiles(g) * k->shape.r * k->shape.c * page;
}

/*===- The kernel -----------------------------------------------------------------------------===*/

/* The steps of this core: the loop counts them from its lower bound, by which products know the
 * first one; all else takes the place in the whole sum. */
static void split_steps(const Kernel *k, const TtGroups *g, MlirValue part) {
  MlirLocation loc = mlirOperationGetLocation(k->loop);
  TtBuilder b = tt_builder_before(k->loop);
  int64_t lower, length = k->steps / g->parts * k->step;
  tt_constant(mlirOperationGetOperand(k->loop, 0), &lower);
  MlirValue from = tt_mul(&b, loc, part, tt_index(&b, loc, length));
  mlirOperationSetOperand(k->loop, 1, tt_index(&b, loc, lower + length));
  TtOps compares = {0};
  for (intptr_t i = 0; i < k->products.n; ++i)
    tt_ops_add(k->arena, &compares, tt_defining_op(tt_mm_mma_accumulate(k->products.data[i])));
  MlirValue step = tt_for_iv(k->loop);
  b = tt_builder_at_start(tt_for_body(k->loop));
  MlirValue at = tt_add(&b, loc, from, step);
  mlirValueReplaceAllUsesOfWith(step, at);
  mlirOperationSetOperand(tt_defining_op(at), 1, step);
  for (intptr_t i = 0; i < compares.n; ++i) mlirOperationSetOperand(compares.data[i], 0, step);
}

/* Behind the loop: parts go to the other cores, and the first of each group goes on with the sums
 * where they were in DST. */
static void gather(const Kernel *k, const TtGroups *g, MlirValue part) {
  MlirLocation loc = mlirOperationGetLocation(k->loop);
  MlirContext context = mlirOperationGetContext(k->func);
  int64_t shape[2] = {k->shape.r, k->shape.c};
  MlirType like = tt_cb_type_get(context, 2, shape,
                                 k->wide ? mlirF32TypeGet(context) : mlirBF16TypeGet(context));
  size_t n = (size_t)k->products.n;
  MlirValue *own = tt_arena_alloc(k->arena, n * sizeof *own), null = {NULL};
  MlirOperation rest = tt_next(k->loop);
  TtBuilder b = tt_builder_before(rest);
  for (intptr_t i = 0; i < k->products.n; ++i) {
    const char *name = tt_arena_printf(k->arena, "own%jd", (intmax_t)i);
    own[i] = tt_new_blocks(k->func, loc, name, like, 1);
    MlirAttribute none = {NULL};
    tt_pack_to_cb_create(&b, loc, tt_op_dst(k->products.data[i]), none, own[i], null);
  }
  for (intptr_t i = 0; i < k->products.n; ++i)
    own[i] = tt_gather_groups(k->arena, &b, loc, k->func, own[i], false, g, i);
  MlirValue first = tt_equal(&b, loc, part, tt_index(&b, loc, 0));
  MlirOperation branch = tt_if(&b, loc, first);
  MlirBlock then = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, 0));
  MlirOperation end = mlirBlockGetTerminator(then);
  TtBuilder in = tt_builder_before(end);
  for (intptr_t i = 0; i < k->products.n; ++i)
    tt_combine_blocks(&in, loc, own[i], like, false, tt_op_dst(k->products.data[i]), k->next, null);
  for (MlirOperation op = rest, next; !tt_is_terminator(op); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, end);
  }
}

/* The part of a core. A kernel of one unit does not ask for its number. */
static MlirValue part_of_core(const Kernel *k, const TtGroups *g) {
  MlirValue unit;
  if (tt_find_unit(k->arena, k->func, &unit)) return tt_set_group_unit(unit, g);
  MlirLocation loc = mlirOperationGetLocation(k->loop);
  TtBuilder top = tt_builder_at_start(tt_body(k->func)), b = tt_builder_before(k->loop);
  MlirOperation start = tt_runtime_arg_create(&top, loc, "start_id", mlirAttributeGetNull());
  tt_name_hint(start, "start_id");
  return tt_part_of_unit(&b, loc, tt_runtime_arg_value(start), g, &unit);
}

/* Where the work of a unit stands: in the loop over units, which begins at start_id or has one, or
 * in the function. */
static bool find_body(Kernel *k) {
  MlirValue unit;
  k->body = tt_body(k->func);
  if (tt_find_unit(k->arena, k->func, &unit)) {
    k->body = mlirOperationGetBlock(tt_defining_op(unit));
    return true;
  }
  TtOps args = tt_collect(k->arena, k->func, "tt.runtime_arg");
  if (args.n == 0) return k->units == 1;
  MlirOpOperand use = mlirValueGetFirstUse(tt_runtime_arg_value(args.data[0]));
  if (k->units != 1 || args.n != 1 || mlirOpOperandIsNull(use) ||
      !tt_op_is(mlirOpOperandGetOwner(use), "scf.for"))
    return false;
  k->body = tt_for_body(mlirOpOperandGetOwner(use));
  return true;
}

static bool read_kernel(Kernel *k) {
  MlirAttribute grid = tt_get_attr(k->func, "tt.grid");
  if (mlirAttributeIsNull(grid) || !mlirAttributeIsADenseI64Array(grid) ||
      mlirDenseArrayGetNumElements(grid) != 3 || tt_follows_shards(k->arena, k->func) ||
      !tt_str_eq(tt_string(tt_get_attr(k->func, "tt.partition_mode")), "global"))
    return false;
  for (intptr_t i = 0; i < 3; ++i) k->units *= mlirDenseI64ArrayGetElement(grid, i);
  return k->units > 0 && find_body(k);
}

/* Why not; "" where there is nothing to say, since a unit is no sum. */
static const char *split(Kernel *k) {
  TtGroups g, before;
  const char *reason = find_loop(k);
  if (!reason) reason = check_steps(k);
  if (!reason) reason = read_bounds(k);
  if (reason) return reason;
  if (k->units * 2 > k->target.grid_x * k->target.grid_y) return "";
  k->has_axes = tt_find_block_axes(k->arena, k->func, &k->axes);
  before = tt_without_groups(k->target, k->units, groups_clk, k);
  if (!tt_find_groups(k->target, k->units, k->steps, false, groups_clk, k, &g))
    return "its steps cannot be dealt evenly to cores that are a rectangle";
  if (g.clk * LEAST_GAIN >= before.clk * (LEAST_GAIN - 1))
    return "waiting for each other takes longer than it saves";
  if (!has_room(k, &g)) return "L1 has no room for parts of its sums";
  tt_remark(k->func, TT_REMARK_PASSED, pass,
            "a sum is on %jd cores, which have %jd of its %jd steps each: about %.0f clk, not %.0f",
            (intmax_t)g.parts, (intmax_t)(k->steps / g.parts), (intmax_t)k->steps, g.clk,
            before.clk);
  int64_t cells[3] = {k->units * g.parts, 1, 1};
  MlirValue part = part_of_core(k, &g);
  split_steps(k, &g, part);
  gather(k, &g, part);
  tt_set_units_on(k->arena, k->func, cells, g.cores, g.width);
  tt_erase_dead(k->func);
  return NULL;
}

static bool split_sums(TtArena *arena, MlirOperation func) {
  Kernel k = {.arena = arena,
              .func = func,
              .target = tt_target_of(func),
              .units = 1,
              .wide = tt_dst_is_32bit(func)};
  if (!read_kernel(&k)) return true;
  const char *reason = split(&k);
  if (reason && *reason)
    tt_remark(func, TT_REMARK_MISSED, pass, "a sum stays on one core: %s", reason);
  return true;
}

bool tt_run_split_sums(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, split_sums);
}
