/*===- use_both_movers.c - --tt-use-both-movers ------------------------------------------------===
 *
 * Of operands that are brought at the same step, and shared by cores, gives some to the writer's
 * processor, which has little to do until there are results.
 *
 *   before  tt.read_to_cb %A[…], %a   tt.read_to_cb %B[…], %b   tt.mm.mma %a, %b …
 *   after   tt.read_to_cb %A[…], %a   tt.read_to_cb %B[…], %b {tt.kernel_role = "writer"} …
 *
 * Each goes to the processor that has less to bring so far, by the clk that a block takes, the
 * longest first: that is the reader's. A multicast on NoC 1 is as good as on NoC 0; reads of DRAM
 * are up to three times as slow there, so that only what cores share is given away
 * (Analysis/sharing.c), of that the shorter blocks, and, of cores with several units, only where
 * what the next one needs does not wait for the results of this one (--tt-write-behind), and
 * products do not hide all reads anyway. No order between reads and writes is lost, since a tensor
 * that is written is not shared.
 *
 * Requires level 2 with units of work (B1), before D1, which splits by the mark.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Analysis/product_cost.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/unit_writes.h"

static const char *const pass = "tt-use-both-movers";

typedef struct Kernel {
  TtArena *arena;
  MlirOperation func;
  TtDfg dfg;
  TtCoreTable cores;
  bool hidden; /* products of a step take longer than all of its reads by one processor */
  bool ahead;  /* the writer can bring what the next unit needs before it writes results */
} Kernel;

/* The clk that a block takes; 0 where that is not known. `*shared`: where it is shared. */
static double clk_of(Kernel *k, MlirOperation read, bool *shared) {
  const TtCB *cb = tt_dfg_cb(&k->dfg, tt_read_to_cb_cb(read));
  *shared = false;
  if (!cb || !cb->tensor) return 0;
  TtSharing sharing = tt_find_sharing(k->arena, &k->cores, read);
  bool same = !sharing.reason && !cb->tensor->written;
  if (!same) sharing = tt_without_sharing(&k->cores);
  TtSharingCost cost = tt_sharing_cost(tt_target_of(k->func).chip, &sharing, tt_cb_tiles(cb->type),
                                       tt_cb_page_bytes(&k->dfg, cb));
  *shared = same && tt_sharing_pays(cost);
  return *shared ? cost.shared : cost.plain;
}

/* Gives a shared read to the processor that has less to bring. */
static void give(Kernel *k, MlirOperation read, double clk, double busy[2]) {
  MlirContext context = mlirOperationGetContext(k->func);
  const TtCB *cb = tt_dfg_cb(&k->dfg, tt_read_to_cb_cb(read));
  int mover = busy[1] < busy[0] && cb->fillers.n == 1; /* one processor fills it */
  busy[mover] += clk;
  if (mover == 0) return;
  if (k->hidden) {
    tt_remark(read, TT_REMARK_MISSED, pass,
              "the reader brings %s as well: products take longer than all that they need",
              cb->tensor->name);
    return;
  }
  if (!k->ahead) {
    tt_remark(read, TT_REMARK_MISSED, pass,
              "the reader brings %s as well: a core has several units, and what the next one "
              "needs would wait for results",
              cb->tensor->name);
    return;
  }
  tt_set_attr(read, "tt.kernel_role",
              tt_string_attr(context, tt_kernel_role_str(TT_KERNEL_ROLE_WRITER)));
  tt_remark(read, TT_REMARK_PASSED, pass, "the writer's processor brings %s", cb->tensor->name);
}

/* The read that takes longest of those that are shared and not given yet, or -1. */
static intptr_t longest(const double *clk, const bool *given, intptr_t n) {
  intptr_t most = -1;
  for (intptr_t i = 0; i < n; ++i)
    if (!given[i] && (most < 0 || clk[i] > clk[most])) most = i;
  return most;
}

/* Whether one processor brings all in less time than the products of the same steps take: then
 * results of several units need not wait. */
static bool products_hide(const Kernel *k, MlirOperation read, const double *clk, intptr_t n) {
  double all = 0, products = 0;
  for (intptr_t i = 0; i < n; ++i) all += clk[i];
  for (intptr_t i = 0; i < k->dfg.nodes.n; ++i) {
    MlirOperation op = k->dfg.nodes.data[i];
    if (tt_mm_mma_isa(op) && mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(read)))
      products += tt_mma_clk(&k->dfg, k->func, op);
  }
  return all < products;
}

/* The reads that stand in one block: the reader brings all that no cores share, wherever it
 * stands; of the others the longest first, which is so read on NoC 0. */
static void balance(Kernel *k, const MlirOperation *reads, intptr_t n) {
  double busy[2] = {0, 0}; /* reader, writer */
  double *clk = tt_arena_alloc(k->arena, (size_t)n * sizeof *clk);
  bool *given = tt_arena_alloc(k->arena, (size_t)n * sizeof *given);
  for (intptr_t i = 0; i < n; ++i) {
    bool shared;
    clk[i] = clk_of(k, reads[i], &shared);
    given[i] = !shared;
    if (!shared) busy[0] += clk[i];
  }
  k->hidden = tt_most_units(&k->cores) > 1 && products_hide(k, reads[0], clk, n);
  for (intptr_t i; (i = longest(clk, given, n)) >= 0; given[i] = true)
    give(k, reads[i], clk[i], busy);
}

static bool use_both_movers(TtArena *arena, MlirOperation func) {
  Kernel k = {.arena = arena, .func = func};
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  if (!tt_unit_cores(arena, func, &k.cores)) return true;
  if (tt_collect(arena, func, "tt.gather_parts").n > 0 || tt_collect(arena, func, "tt.relay").n > 0)
    return true; /* the writer waits for others */
  if (!tt_analyze_dfg(arena, func, &k.dfg)) return false;
  k.ahead = tt_can_write_behind(arena, &k.dfg, &k.cores);
  for (intptr_t i = 0, n; i < reads.n; i += n) {
    for (n = 1; i + n < reads.n && mlirBlockEqual(mlirOperationGetBlock(reads.data[i]),
                                                  mlirOperationGetBlock(reads.data[i + n]));)
      ++n;
    balance(&k, reads.data + i, n);
  }
  return true;
}

bool tt_run_use_both_movers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, use_both_movers);
}
