/*===- relay_operands.c - --tt-relay-operands ---------------------------------------------------===
 *
 * Has the reader's processor fetch what several cores read, and the writer's one send it to them.
 *
 *   before  tt.read_to_cb %A[…], %a   tt.read_to_cb %B[…], %b   tt.mm.mma %a, %b …
 *   after   tt.read_to_cb %A[…], %fetched_a   tt.relay %fetched_a -> %a
 *           tt.read_to_cb %B[…], %fetched_b   tt.relay %fetched_b -> %b   tt.mm.mma %a, %b …
 *
 * A processor that fetches a block and multicasts it does one after the other, on one NoC, whose
 * port takes both; and reads of DRAM on NoC 1 are up to three times as slow as on NoC 0. So all
 * that cores share comes on NoC 0, and goes on on NoC 1 while the next block comes. That costs room
 * for another block of each operand, and signals from one processor to the other. Where a core
 * has several units, what the next one needs must not wait for the results of this one
 * (--tt-write-behind). Changes no result.
 *
 * Requires level 2 with units of work (B1), after --tt-place-units, before D1. What is relayed is
 * shared by --tt-share-operands.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Analysis/product_cost.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/unit_writes.h"
#include "Transforms/Tile/build_tile_dfg.h"

static const char *const pass = "tt-relay-operands";

/* A read that cores share. */
typedef struct Relay {
  MlirOperation read;
  const TtCB *cb;
  int64_t depth; /* of what is fetched */
} Relay;

typedef struct Kernel {
  TtArena *arena;
  MlirOperation func;
  TtDfg dfg;
  TtCoreTable cores;
  Relay *relays;
  TtSharedBlock *blocks; /* of each */
  intptr_t n;
  int64_t units;   /* of the busiest core */
  bool brings_own; /* a step of a loop has blocks that each core brings for itself */
} Kernel;

/*===- What is shared ------------------------------------------------------------------------===*/

/* The steps of the loops around an op within that of the units, which has one; 0 where some are
 * not known. */
static int64_t steps_around(MlirOperation op) {
  int64_t steps = 1, lower, upper, step;
  for (MlirOperation loop = tt_parent(op); !tt_is_function(loop); loop = tt_parent(loop)) {
    if (!tt_op_is(loop, "scf.for")) return 0;
    if (tt_is_function(tt_parent(loop))) break;
    if (!tt_constant(mlirOperationGetOperand(loop, 0), &lower) ||
        !tt_constant(mlirOperationGetOperand(loop, 1), &upper) ||
        !tt_constant(mlirOperationGetOperand(loop, 2), &step) || upper <= lower || step < 1)
      return 0;
    steps *= (upper - lower + step - 1) / step;
  }
  return steps;
}

/* Whether a read is of a block that another op of its block takes only after a result was packed
 * since `before`. */
static bool is_of_next_step(MlirOperation before, MlirOperation read) {
  for (MlirOperation op = before; !mlirOperationIsNull(op) && !tt_op_eq(op, read); op = tt_next(op))
    if (!tt_read_to_cb_isa(op) && !tt_is_null_value(tt_op_fills(op))) return true;
  return false;
}

/* Where a read stands among those before it. */
static void note_place(Kernel *k, TtSharedBlock *block, MlirOperation read) {
  if (k->n == 0) return;
  const TtSharedBlock *last = &k->blocks[k->n - 1];
  MlirOperation before = k->relays[k->n - 1].read;
  bool same = mlirBlockEqual(mlirOperationGetBlock(before), mlirOperationGetBlock(read));
  block->place = last->place + !same;
  block->step = same ? last->step + is_of_next_step(before, read) : 0;
}

/* Whether a read can be relayed: what is stored is what is computed with, and one op fills its
 * circular buffer. */
static bool can_relay(const Kernel *k, const TtCB *cb, const TtSharedBlock *block) {
  TtDType stored = tt_cb_dtype(&k->dfg, cb), element;
  return !cb->tensor->written && cb->fillers.n == 1 && !cb->held &&
         (block->steps == 1 || cb->depth > 1) &&
         tt_dtype_of(tt_cb_type_element_type(cb->type), &element) && stored == element;
}

/* Notes a read that cores share; of others, whether they are brought in steps. */
static void note_read(Kernel *k, MlirOperation read) {
  const TtCB *cb = tt_dfg_cb(&k->dfg, tt_read_to_cb_cb(read));
  const TtChip *chip = tt_target_of(k->func).chip;
  TtSharedBlock block = {.sharing = tt_find_sharing(k->arena, &k->cores, read),
                         .steps = k->units * steps_around(read)};
  if (cb) block.tiles = tt_cb_tiles(cb->type), block.page_bytes = tt_cb_page_bytes(&k->dfg, cb);
  if (!cb || !cb->tensor || block.steps == 0 || block.sharing.reason ||
      !tt_sharing_pays(tt_sharing_cost(chip, &block.sharing, block.tiles, block.page_bytes)) ||
      !can_relay(k, cb, &block)) {
    k->brings_own |= block.steps != 1;
    return;
  }
  note_place(k, &block, read);
  k->blocks[k->n] = block;
  k->relays[k->n++] = (Relay){read, cb, block.steps > 1 ? TT_DEFAULT_DEPTH : 1};
}

/*===- What products hide --------------------------------------------------------------------===*/

/* The clk of all products of a unit. */
static double products_clk(const Kernel *k) {
  double clk = 0;
  for (intptr_t i = 0; i < k->dfg.nodes.n; ++i) {
    MlirOperation op = k->dfg.nodes.data[i];
    if (!tt_mm_mma_isa(op)) continue;
    clk += tt_mma_clk(&k->dfg, k->func, op) * (double)(steps_around(op) * k->units);
  }
  return clk;
}

enum { LEAST_PART = 100 }; /* of the products' time, that is worth another block of each operand */

/* Whether what is saved is more than a small part of the products, which hide all but the first
 * step of blocks that take no longer. */
static bool is_noticed(const Kernel *k, TtRelayCost all) {
  const TtChip *chip = tt_target_of(k->func).chip;
  TtSharedBlock *first = tt_arena_alloc(k->arena, (size_t)(k->n + 1) * sizeof *first);
  for (intptr_t i = 0; i < k->n; ++i) first[i] = k->blocks[i], first[i].steps = 1;
  TtRelayCost once = tt_relay_cost(chip, first, k->n, k->units == 1);
  double products = products_clk(k), apart = all.apart - products, relayed = all.relayed - products;
  if (apart < once.apart) apart = once.apart;
  if (relayed < once.relayed) relayed = once.relayed;
  return apart - relayed > products / LEAST_PART;
}

/*===- Whether, and how ----------------------------------------------------------------------===*/

static const char *why_not(const Kernel *k, TtRelayCost *cost) {
  TtTarget target = tt_target_of(k->func);
  int64_t bytes = 0;
  for (intptr_t i = 0; i < k->n; ++i)
    bytes += k->blocks[i].tiles * k->blocks[i].page_bytes * k->relays[i].depth;
  *cost = tt_relay_cost(target.chip, k->blocks, k->n, k->units == 1);
  if (k->brings_own) return "blocks that cores have for themselves keep NoC 0 busy in its steps";
  if (!tt_relaying_pays(*cost)) return "it would not take less time";
  if (!is_noticed(k, *cost)) return "products take so long that it would make no difference";
  if (2 * k->n > TT_MAX_SEMAPHORES) return "no semaphores are left";
  if (k->dfg.n + k->dfg.num_spills + k->n > (intptr_t)target.cbs)
    return "no circular buffers are left";
  return bytes > tt_l1_left(&k->dfg) ? "L1 has no room for what is fetched" : NULL;
}

static void relay(Kernel *k, const Relay *r) {
  MlirContext context = mlirOperationGetContext(k->func);
  TtBuilder top = tt_builder_before(r->cb->alloc), b = tt_builder_before(tt_next(r->read));
  MlirValue fetched =
      tt_alloc_cb_cb(tt_alloc_cb_create(&top, mlirOperationGetLocation(r->cb->alloc), r->cb->type,
                                        "fetched", tt_i64_attr(context, r->depth)));
  mlirOperationSetInherentAttributeByName(r->cb->alloc, tt_str("depth"),
                                          tt_i64_attr(context, r->cb->depth));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(r->read); ++i)
    if (tt_value_eq(mlirOperationGetOperand(r->read, i), r->cb->value))
      mlirOperationSetOperand(r->read, i, fetched);
  /* Whole tiles go to the others. */
  mlirOperationSetInherentAttributeByName(r->read, tt_str("first_rows"), mlirAttributeGetNull());
  tt_relay_create(&b, mlirOperationGetLocation(r->read), fetched, r->cb->value);
}

static bool relay_operands(TtArena *arena, MlirOperation func) {
  Kernel k = {.arena = arena, .func = func};
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  if (!tt_unit_cores(arena, func, &k.cores)) return true;
  if (tt_collect(arena, func, "tt.gather_parts").n > 0)
    return true; /* the writer waits for others */
  if (!tt_analyze_dfg(arena, func, &k.dfg)) return false;
  if (!tt_can_write_behind(arena, &k.dfg, &k.cores)) return true;
  k.units = tt_most_units(&k.cores);
  k.relays = tt_arena_alloc(arena, (size_t)(reads.n + 1) * sizeof *k.relays);
  k.blocks = tt_arena_alloc(arena, (size_t)(reads.n + 1) * sizeof *k.blocks);
  for (intptr_t i = 0; i < reads.n; ++i) note_read(&k, reads.data[i]);
  if (k.n == 0) return true;
  TtRelayCost cost;
  const char *reason = why_not(&k, &cost);
  if (reason) {
    tt_remark(
        func, TT_REMARK_MISSED, pass,
        "each processor sends what it fetches: %s (blocks take about %.0f clk, and %.0f where "
        "one fetches, and the other sends)",
        reason, cost.apart, cost.relayed);
    return true;
  }
  for (intptr_t i = 0; i < k.n; ++i) relay(&k, &k.relays[i]);
  tt_remark(
      func, TT_REMARK_PASSED, pass,
      "the reader's processor fetches what cores share, and the writer's sends it: blocks take "
      "about %.0f clk, not %.0f",
      cost.relayed, cost.apart);
  return tt_build_dfg(arena, func);
}

bool tt_run_relay_operands(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, relay_operands);
}
