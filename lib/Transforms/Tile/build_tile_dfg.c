/*===- build_tile_dfg.c - C3: --tt-build-tile-dfg -------------------------------------===
 *
 * Records the tile dataflow graph: ops are nodes, circular buffers edges.
 *
 *   before  tt.read_to_cb %A[…], %a   tt.mm.mma %a, %b …   tt.write_from_cb %c, %C[…]
 *   after   tt.tile_dfg = #tt.tile_dfg<
 *             nodes = [#tt.dfg_node<id = "load0", type = load, inputs = [],
 *                                   outputs = ["cb_in0"], role = producer>, …],
 *             edges = [#tt.dfg_edge<from = "load0", to = "matmul0", cb = "cb_in0">, …],
 *             cb_assignments = [#tt.dfg_cb<name = "cb_in0", id = 0, role = input,
 *                                          slot = "input_a", …>, …],
 *             total_cbs = 3, max_allowed = 32>
 *
 * Requires tile intrinsics (C2). Leaves tt.tile_dfg, and an explicit target for a
 * result in short form.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/build_tile_dfg.h"
#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

enum { SPARE_CBS = 4 }; /* fewer unused circular buffers than this draw a warning */

static TtDfgNodeKind kind_of(MlirOperation op) { return (TtDfgNodeKind)tt_op_info(op)->node; }

static TtDfgRole role_of(MlirOperation op) {
  switch (tt_op_info(op)->does) {
  case TT_ACT_LOAD: return TT_DFG_ROLE_PRODUCER;
  case TT_ACT_STORE: return TT_DFG_ROLE_CONSUMER;
  default: return TT_DFG_ROLE_COMPUTE;
  }
}

static MlirAttribute names(TtArena *arena, MlirContext context, TtDfg *dfg, const MlirValue *cbs,
                           int n) {
  const char *texts[2];
  for (int i = 0; i < n; ++i) texts[i] = tt_dfg_cb(dfg, cbs[i])->name;
  return tt_strings_attr(arena, context, n, texts);
}

static char **node_ids(TtArena *arena, TtDfg *dfg) {
  int count[TT_DFG_NODE_KIND_COUNT] = {0};
  char **ids = tt_arena_alloc(arena, (size_t)(dfg->nodes.n + 1) * sizeof *ids);
  for (intptr_t i = 0; i < dfg->nodes.n; ++i) {
    TtDfgNodeKind kind = kind_of(dfg->nodes.data[i]);
    ids[i] = tt_arena_printf(arena, "%s%d", tt_dfg_node_kind_str((int)kind), count[kind]++);
  }
  return ids;
}

static intptr_t node_at(const TtDfg *dfg, MlirOperation op) {
  for (intptr_t i = 0; i < dfg->nodes.n; ++i)
    if (tt_op_eq(dfg->nodes.data[i], op)) return i;
  return -1;
}

/* A buffer whose life is over when `cb` starts and that is at least as large. */
static const char *reuse_of(const TtDfg *dfg, const TtCB *cb) {
  for (intptr_t i = 0; i < dfg->n; ++i) {
    const TtCB *other = &dfg->cbs[i];
    bool ended = other->role == TT_CB_ROLE_INTERMEDIATE && other->last < cb->first;
    if (ended && cb->role == TT_CB_ROLE_INTERMEDIATE && mlirTypeEqual(other->type, cb->type) &&
        other->depth >= cb->depth)
      return other->name;
  }
  return "";
}

static MlirAttribute cb_attr(TtArena *arena, MlirContext context, const TtDfg *dfg, intptr_t at) {
  const TtCB *cb = &dfg->cbs[at];
  const char *slot = tt_cb_role_str((int)cb->role);
  if (cb->role == TT_CB_ROLE_INPUT && at < 26)
    slot = tt_arena_printf(arena, "input_%c", (char)('a' + at));
  return tt_dfg_cb_attr_get(context, tt_str(cb->name), cb->id, cb->role, tt_str(slot), cb->first,
                            cb->last, tt_str(reuse_of(dfg, cb)));
}

/* A hint while there is still room: the next fused op may be one too many. */
static void warn_if_nearly_full(MlirOperation func, const TtDfg *dfg) {
  int64_t limit = tt_target_of(func).chip->cbs;
  if (dfg->n > limit - SPARE_CBS)
    tt_warning(func, "the kernel needs %jd of the chip's %jd circular buffers", (intmax_t)dfg->n,
               (intmax_t)limit);
}

bool tt_build_dfg(TtArena *arena, MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  TtDfg dfg;
  if (!tt_complete_short_form(arena, func) || !tt_analyze_dfg(arena, func, &dfg)) return false;
  warn_if_nearly_full(func, &dfg);
  char **ids = node_ids(arena, &dfg);
  MlirAttribute *nodes = tt_arena_alloc(arena, (size_t)(dfg.nodes.n + 1) * sizeof *nodes);
  for (intptr_t i = 0; i < dfg.nodes.n; ++i) {
    MlirOperation op = dfg.nodes.data[i];
    TtTraffic t = tt_traffic(op);
    nodes[i] = tt_dfg_node_attr_get(
        context, tt_str(ids[i]), kind_of(op), names(arena, context, &dfg, t.in, t.num_in),
        names(arena, context, &dfg, &t.out, !tt_is_null_value(t.out)), role_of(op));
  }
  MlirAttribute *cbs = tt_arena_alloc(arena, (size_t)(dfg.n + 1) * sizeof *cbs);
  MlirAttribute *edges = tt_arena_alloc(arena, (size_t)(2 * dfg.nodes.n + 1) * sizeof *edges);
  intptr_t num_edges = 0;
  for (intptr_t i = 0; i < dfg.n; ++i) {
    cbs[i] = cb_attr(arena, context, &dfg, i);
    for (intptr_t j = 0; j < dfg.cbs[i].consumers.n; ++j)
      edges[num_edges++] = tt_dfg_edge_attr_get(
          context, tt_str(ids[node_at(&dfg, dfg.cbs[i].producer)]),
          tt_str(ids[node_at(&dfg, dfg.cbs[i].consumers.data[j])]), tt_str(dfg.cbs[i].name));
  }
  tt_set_attr(func, "tt.tile_dfg",
              tt_tile_dfg_attr_get(context, mlirArrayAttrGet(context, dfg.nodes.n, nodes),
                                   mlirArrayAttrGet(context, num_edges, edges),
                                   mlirArrayAttrGet(context, dfg.n, cbs), dfg.n,
                                   tt_target_of(func).chip->cbs));
  return true;
}

static bool check_and_build(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_linalg(ops.data[i]) || tt_op_is(ops.data[i], "memref.copy") ||
        tt_cb_view_isa(ops.data[i]))
      return tt_error(ops.data[i], "this is no tile intrinsic yet: run --tt-lower-tile-intrinsics "
                                   "(after --tt-lower-shared-to-cb) first");
  return tt_build_dfg(arena, func);
}

bool tt_run_build_tile_dfg(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, check_and_build);
}
