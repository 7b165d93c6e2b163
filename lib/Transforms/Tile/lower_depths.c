/*===- lower_depths.c - --tt-lower-depths -------------------------------------------------------===
 *
 * Has circular buffers hold one block, not two, where L1 has no room for what is read and written
 * ahead.
 *
 *   before  %x = tt.alloc_cb "cb_in0" depth = 2 : !tt.cb<1x128xbf16>
 *           %y = tt.alloc_cb "cb_out0" depth = 2 : !tt.cb<1x128xbf16>     (more than L1 together)
 *   after   %x = tt.alloc_cb "cb_in0" depth = 2 : !tt.cb<1x128xbf16>
 *           %y = tt.alloc_cb "cb_out0" depth = 1 : !tt.cb<1x128xbf16>
 *
 * Results first, since they leave as they are packed; then what is read in the fewest loops, and
 * the largest first, until all fits. A loop that says tt.num_stages keeps them, and what compute
 * keeps from step to step needs the place behind it. Where nothing of that would do, nothing is
 * done: the error of --tt-split-device-kernel speaks of blocks as the kernel has them. Changes no
 * result.
 *
 * Requires tile intrinsics (C2), before the graph of C3. Runs without optimizations, too: a kernel
 * that needs it could not be compiled otherwise.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

#include <stdlib.h>

static const char *const pass = "tt-lower-depths";

typedef struct Candidate {
  const TtCB *cb;
  int64_t loops, bytes; /* around it; of a block */
} Candidate;

/* The op that moves blocks of a tensor through `cb`, or null. */
static MlirOperation move_of(const TtCB *cb) {
  TtMove move;
  if (tt_move_of(cb->producer, &move)) return cb->producer;
  for (intptr_t i = 0; i < cb->consumers.n; ++i)
    if (tt_move_of(cb->consumers.data[i], &move)) return cb->consumers.data[i];
  return (MlirOperation){NULL};
}

static bool says_stages(MlirOperation op) {
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p))
    if (!mlirAttributeIsNull(tt_get_attr(p, "tt.num_stages"))) return true;
  return false;
}

static int64_t loops_around(MlirOperation op) {
  int64_t n = 0;
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p))
    n += tt_op_is(p, "scf.for");
  return n;
}

static int by_harm(const void *first, const void *second) {
  const Candidate *a = first, *b = second;
  bool a_out = a->cb->role == TT_CB_ROLE_OUTPUT, b_out = b->cb->role == TT_CB_ROLE_OUTPUT;
  if (a_out != b_out) return a_out ? -1 : 1;
  if (a->loops != b->loops) return a->loops < b->loops ? -1 : 1;
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
  return (a->cb > b->cb) - (a->cb < b->cb);
}

static intptr_t find_candidates(const TtDfg *dfg, Candidate *out) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < dfg->n; ++i) {
    const TtCB *cb = &dfg->cbs[i];
    MlirOperation move = move_of(cb);
    if (cb->depth < 2 || cb->held || mlirOperationIsNull(move) || says_stages(move)) continue;
    out[n++] =
        (Candidate){cb, loops_around(move), tt_cb_tiles(cb->type) * tt_cb_page_bytes(dfg, cb)};
  }
  qsort(out, (size_t)n, sizeof *out, by_harm);
  return n;
}

/* Bytes that are missing where buffers take turns as --tt-share-buffers would have them, whether
 * only what compute fills does so, or all. */
static int64_t missing(const TtDfg *dfg, bool all) {
  TtTurns turns = tt_find_turns(dfg, all);
  return -tt_l1_left_in_turns(dfg, &turns);
}

static int64_t could_save(const Candidate *candidates, intptr_t n) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < n; ++i) bytes += (candidates[i].cb->depth - 1) * candidates[i].bytes;
  return bytes;
}

static bool lower_in_kernel(TtArena *arena, MlirOperation func) {
  TtDfg dfg;
  if (!mlirAttributeIsNull(tt_get_attr(func, "tt.tile_dfg"))) return true; /* whose depths stay */
  if (!tt_complete_short_form(arena, func) || !tt_analyze_dfg(arena, func, &dfg)) return false;
  int64_t bytes = missing(&dfg, false);
  if (bytes <= 0) return true;
  Candidate *candidates = tt_arena_alloc(arena, (size_t)(dfg.n + 1) * sizeof *candidates);
  intptr_t n = find_candidates(&dfg, candidates);
  if (could_save(candidates, n) < bytes) {
    tt_remark(func, TT_REMARK_MISSED, pass,
              "L1 has too little room for the blocks, however few of each there are");
    return true;
  }
  for (intptr_t i = 0; i < n && bytes > 0; ++i) {
    const TtCB *cb = candidates[i].cb;
    tt_remark(cb->alloc, TT_REMARK_PASSED, pass,
              "it holds one block, since L1 has no room for one that is moved ahead");
    tt_set_cb_depth(&dfg, cb->value, 1);
    tt_dfg_cb(&dfg, cb->value)->depth = 1;
    bytes = missing(&dfg, false);
  }
  return true;
}

bool tt_run_lower_depths(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, lower_in_kernel);
}
