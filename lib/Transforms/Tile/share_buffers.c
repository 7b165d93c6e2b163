/*===- share_buffers.c - --tt-share-buffers -----------------------------------------------------===
 *
 * Has circular buffers that are never alive together take turns in one, where the chip has too few
 * of them or L1 is too small.
 *
 *   before  %x = tt.alloc_cb "x"   %y = tt.alloc_cb "y"
 *           tt.copy_to_dst %a transpose, dst = 0 -> %x   tt.mm.mma %x, %b, … -> %p
 *           tt.copy_to_dst %p transpose, dst = 0 -> %y   tt.mm.mma %y, %b, … -> %q
 *   after   %x = tt.alloc_cb "x"
 *           tt.copy_to_dst %a transpose, dst = 0 -> %x
 *           tt.cb_open %x   tt.mm.mma %x, %b, … -> %p   tt.cb_close %x
 *           tt.copy_to_dst %p transpose, dst = 0 -> %x
 *           tt.cb_open %x   tt.mm.mma %x, %b, … -> %q   tt.cb_close %x
 *
 * What compute fills for itself comes first, which costs no time; blocks that are read and written
 * share only where that does not do, since a block cannot be read ahead while the one before it is
 * in use. Analysis/turns.c says which may share, and why that is one queue. Changes no result.
 *
 * Requires tile intrinsics (C2), before the graph of C3. Runs without optimizations, too: a kernel
 * that needs it could not be compiled otherwise.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/share_buffers.h"
#include "Analysis/box.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

#include <string.h>

static const char *const pass = "tt-share-buffers";

/*===- Whether it is needed -----------------------------------------------------------------===*/

/* Circular buffers that later passes add: for tiles that boxes lie in, of each processor and format
 * (D1), for integers that steer the kernel, and to keep exponents. */
static int64_t count_later(const TtDfg *dfg) {
  bool boxes[2][TT_D_TYPE_COUNT] = {{false}};
  int64_t n = tt_exponents_bytes(dfg) > 0;
  for (intptr_t i = 0; i < dfg->nodes.n; ++i) {
    TtBox box;
    TtMove move;
    if (!tt_move_of(dfg->nodes.data[i], &move) || !tt_box_of(dfg->nodes.data[i], &box)) continue;
    const TtCB *cb = tt_dfg_cb((TtDfg *)dfg, move.cb);
    if (!cb || (move.in && tt_box_scratch(&box) == 0)) continue;
    bool *known = &boxes[move.in][tt_cb_dtype(dfg, cb)];
    n += !*known;
    *known = true;
  }
  TtOps loads = tt_collect(dfg->arena, dfg->func, "tt.load_index");
  for (intptr_t i = 0; i < loads.n; ++i) {
    intptr_t j = 0;
    while (!tt_value_eq(tt_load_index_tensor(loads.data[j]), tt_load_index_tensor(loads.data[i])))
      ++j;
    n += j == i;
  }
  return n + (loads.n > 0 ? 2 : 0);
}

static bool fits(const TtDfg *dfg, const TtTurns *turns, int64_t spare) {
  return turns->n + dfg->num_spills + count_later(dfg) + spare <= tt_target_of(dfg->func).cbs &&
         tt_l1_left_in_turns(dfg, turns) >= 0;
}

static TtTurns as_they_are(const TtDfg *dfg) {
  TtTurns turns = {tt_arena_alloc(dfg->arena, (size_t)(dfg->n + 1) * sizeof *turns.to), dfg->n};
  for (intptr_t i = 0; i < dfg->n; ++i) turns.to[i] = i;
  return turns;
}

bool tt_buffers_fit(TtArena *arena, MlirOperation func, int64_t spare) {
  TtDfg dfg;
  bool silent = tt_silence(true), known = tt_analyze_dfg(arena, func, &dfg);
  tt_silence(silent);
  if (!known) return true;
  TtTurns turns = as_they_are(&dfg);
  if (fits(&dfg, &turns, spare)) return true;
  turns = tt_find_turns(&dfg, true);
  return fits(&dfg, &turns, spare);
}

/*===- Sharing ------------------------------------------------------------------------------===*/

/* A block that compute takes is open from its first use to its last, as what the kernel itself
 * holds is already. */
static void hold(const TtCB *cb) {
  if (cb->held || cb->role == TT_CB_ROLE_OUTPUT) return;
  MlirBlock home = mlirOperationGetBlock(cb->producer);
  MlirOperation first = {NULL}, last = {NULL};
  for (intptr_t i = 0; i < cb->consumers.n; ++i) {
    MlirOperation at = tt_ancestor_in(home, cb->consumers.data[i]);
    if (mlirOperationIsNull(first) || tt_is_before(at, first)) first = at;
    if (mlirOperationIsNull(last) || tt_is_before(last, at)) last = at;
  }
  TtBuilder before = tt_builder_before(first), after = tt_builder_after(last);
  tt_cb_open_create(&before, mlirOperationGetLocation(first), cb->value);
  tt_cb_close_create(&after, mlirOperationGetLocation(last), cb->value);
}

static void apply(TtDfg *dfg, const TtTurns *turns) {
  bool *shared = tt_arena_alloc(dfg->arena, (size_t)(dfg->n + 1) * sizeof *shared);
  for (intptr_t i = 0; i < dfg->n; ++i) {
    shared[i] |= turns->to[i] != i;
    shared[turns->to[i]] |= shared[i];
  }
  for (intptr_t i = 0; i < dfg->n; ++i) {
    if (!shared[i]) continue;
    hold(&dfg->cbs[i]);
    if (turns->to[i] != i) continue;
    int64_t depth = tt_depth_in_turns(dfg, turns, i);
    if (depth != dfg->cbs[i].depth) tt_set_cb_depth(dfg, dfg->cbs[i].value, depth);
    mlirOperationMoveBefore(dfg->cbs[i].alloc, mlirBlockGetFirstOperation(tt_body(dfg->func)));
  }
  for (intptr_t i = 0; i < dfg->n; ++i) {
    const TtCB *home = &dfg->cbs[turns->to[i]];
    if (turns->to[i] == i) continue;
    tt_remark(dfg->cbs[i].producer, TT_REMARK_PASSED, pass,
              "its block goes to the circular buffer of another, which is empty by then");
    tt_replace(dfg->cbs[i].alloc, home->value);
  }
}

/* As few as it takes, or as many as can be. */
static TtTurns choose(const TtDfg *dfg, bool always) {
  TtTurns turns = as_they_are(dfg);
  if (!always && fits(dfg, &turns, 0)) return turns;
  turns = tt_find_turns(dfg, false);
  if (always || !fits(dfg, &turns, 0)) turns = tt_find_turns(dfg, true);
  if (turns.n == dfg->n)
    tt_remark(dfg->func, TT_REMARK_MISSED, pass,
              "no circular buffers are shared: those with blocks of one shape and format are alive "
              "together");
  return turns;
}

static bool share_in_kernel(TtArena *arena, MlirOperation func, bool always) {
  TtDfg dfg;
  if (!mlirAttributeIsNull(tt_get_attr(func, "tt.tile_dfg"))) return true; /* whose ids stay */
  if (!tt_complete_short_form(arena, func) || !tt_analyze_dfg(arena, func, &dfg)) return false;
  TtTurns turns = choose(&dfg, always);
  apply(&dfg, &turns);
  return true;
}

static bool share_if_needed(TtArena *arena, MlirOperation func) {
  return share_in_kernel(arena, func, false);
}

static bool share_always(TtArena *arena, MlirOperation func) {
  return share_in_kernel(arena, func, true);
}

bool tt_run_share_buffers(MlirOperation module, const TtPassOptions *options) {
  bool always = strcmp(options->values[0], "always") == 0;
  if (!always && *options->values[0] && strcmp(options->values[0], "needed") != 0)
    return tt_error(module, "when=%s: expected needed or always", options->values[0]);
  return tt_for_each_kernel(module, always ? share_always : share_if_needed);
}
