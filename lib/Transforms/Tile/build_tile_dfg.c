/*===- build_tile_dfg.c - C3: --tt-build-tile-dfg -------------------------------------===
 *
 * Records the tile dataflow graph: ops are nodes, circular buffers edges.
 *
 *   before  %x = tt.alloc_cb "a" …   tt.read_to_cb %A[…], %x   tt.mm.mma %x, %y …
 *           tt.write_from_cb %z, %C[…]
 *   after   tt.tile_dfg = #tt.tile_dfg<
 *             nodes = [#tt.dfg_node<id = "load0", type = load, cb = "cb_in0", role = producer>, …
 *                      #tt.dfg_node<id = "matmul0", type = matmul, inputs = ["cb_in0", "cb_in1"],
 *                                   output = "cb_out0", role = compute>, …],
 *             edges = [#tt.dfg_edge<from = "load0", to = "matmul0", cb = "cb_in0", type = data>,
 * …], cb_assignments = [#tt.dfg_cb<name = "cb_in0", id = 0, role = input, slot = "input_a", block =
 * !tt.cb<4x1xbf16>, …>, …], opportunities = [#tt.dfg_opportunity<kind = overlap, nodes = ["load0",
 * "load1"]>, …], validation = <total_cbs = 3, max_allowed = 32, status = valid>> %x = tt.alloc_cb
 * "cb_in0" …
 *
 * Requires tile intrinsics (C2). Leaves tt.tile_dfg, tt.alloc_cb with its names, and an
 * explicit target for a result in short form. D1 takes names, ids, depths and partial sums from
 * the graph, and refuses one that is not the kernel's.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/build_tile_dfg.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
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

static MlirStringRef name_of(const TtDfg *dfg, MlirValue cb) {
  return tt_str(tt_is_null_value(cb) ? "" : tt_dfg_cb((TtDfg *)dfg, cb)->name);
}

static MlirAttribute input_names(const TtDfg *dfg, MlirContext context, MlirOperation op) {
  TtTraffic t = tt_traffic(op);
  const char *texts[TT_MAX_READS];
  for (int i = 0; i < t.num_in; ++i) texts[i] = tt_dfg_cb((TtDfg *)dfg, t.in[i])->name;
  return tt_strings_attr(dfg->arena, context, t.num_in, texts);
}

static MlirAttribute node_attr(const TtDfg *dfg, MlirContext context, const TtDfgNode *node) {
  TtDfgRole role = role_of(node->op);
  MlirStringRef none = tt_str(""), id = tt_str(node->id), output = name_of(dfg, node->output);
  MlirAttribute no_inputs = mlirAttributeGetNull();
  TtDfgNodeKind kind = kind_of(node->op);
  if (role == TT_DFG_ROLE_PRODUCER)
    return tt_dfg_node_attr_get(context, id, kind, output, no_inputs, none, none, role);
  if (role == TT_DFG_ROLE_CONSUMER)
    return tt_dfg_node_attr_get(context, id, kind, name_of(dfg, tt_op_reads(node->op, 0)),
                                no_inputs, none, none, role);
  return tt_dfg_node_attr_get(context, id, kind, none, input_names(dfg, context, node->op), output,
                              node->spill ? tt_str(node->spill->name) : none, role);
}

static MlirAttribute cb_attr(const TtDfg *dfg, MlirContext context, const TtCB *cb) {
  const char *slot = tt_cb_role_str((int)cb->role);
  bool partial = mlirOperationIsNull(cb->alloc);
  if (partial) slot = "partial_sums";
  else if (cb->role == TT_CB_ROLE_INPUT && cb - dfg->cbs < 26)
    slot = tt_arena_printf(dfg->arena, "input_%c", (char)('a' + (cb - dfg->cbs)));
  return tt_dfg_cb_attr_get(context, tt_str(cb->name), cb->id, cb->role, tt_str(slot), cb->type,
                            cb->depth, tt_str(cb->tensor ? cb->tensor->name : ""), cb->first,
                            cb->last);
}

/*===- Opportunities --------------------------------------------------------------------------===*/

typedef struct Opportunities {
  const TtDfg *dfg;
  MlirContext context;
  MlirAttribute *data;
  intptr_t n, capacity;
} Opportunities;

static void note(Opportunities *o, TtDfgOpportunityKind kind, intptr_t num_nodes,
                 const char **nodes, intptr_t num_cbs, const char **cbs) {
  MlirAttribute none = mlirAttributeGetNull();
  if (o->n == o->capacity) {
    intptr_t capacity = o->capacity ? 2 * o->capacity : 16;
    MlirAttribute *data = tt_arena_alloc(o->dfg->arena, (size_t)capacity * sizeof *data);
    for (intptr_t i = 0; i < o->n; ++i) data[i] = o->data[i];
    o->data = data, o->capacity = capacity;
  }
  o->data[o->n++] = tt_dfg_opportunity_attr_get(
      o->context, kind,
      num_nodes ? tt_strings_attr(o->dfg->arena, o->context, num_nodes, nodes) : none,
      num_cbs ? tt_strings_attr(o->dfg->arena, o->context, num_cbs, cbs) : none);
}

static const char *id_of(const TtDfg *dfg, MlirOperation op) {
  return dfg->graph[tt_op_map_get(&dfg->node_of, op)].id;
}

/* Blocks that several ops read. */
static void note_shared_blocks(Opportunities *o) {
  for (intptr_t i = 0; i < o->dfg->n; ++i) {
    const TtCB *cb = &o->dfg->cbs[i];
    if (cb->consumers.n < 2 || cb->role == TT_CB_ROLE_OUTPUT) continue; /* whose blocks differ */
    const char **ids = tt_arena_alloc(o->dfg->arena, (size_t)cb->consumers.n * sizeof *ids);
    for (intptr_t j = 0; j < cb->consumers.n; ++j) ids[j] = id_of(o->dfg, cb->consumers.data[j]);
    note(o, TT_DFG_OPPORTUNITY_KIND_TILE_REUSE, cb->consumers.n, ids, 1,
         (const char *[]){cb->name});
  }
}

static bool is_read(const TtCB *cb) { return tt_read_to_cb_isa(cb->producer); }

/* A load in a loop that does not move it. */
static bool is_repeated(const TtDfg *dfg, MlirOperation load) {
  for (MlirOperation p = tt_parent(load); !tt_op_eq(p, dfg->func); p = tt_parent(p)) {
    bool moved = !tt_op_is(p, "scf.for");
    for (intptr_t i = 0; !moved && i < tt_read_to_cb_num_offsets(load); ++i) {
      int64_t factor;
      moved = !tt_index_factor(dfg->arena, tt_read_to_cb_offsets(load, i), tt_for_iv(p), &factor) ||
              factor != 0;
    }
    if (!moved) return true;
  }
  return false;
}

static bool same_place(const TtDfg *dfg, const TtCB *a, const TtCB *b) {
  MlirOperation x = a->producer, y = b->producer;
  if (a->tensor != b->tensor || !mlirTypeEqual(a->type, b->type) ||
      !mlirAttributeEqual(tt_read_to_cb_box(x), tt_read_to_cb_box(y)) ||
      !mlirAttributeEqual(tt_read_to_cb_strides(x), tt_read_to_cb_strides(y)))
    return false;
  if (tt_read_to_cb_num_offsets(x) != tt_read_to_cb_num_offsets(y)) return false;
  for (intptr_t i = 0; i < tt_read_to_cb_num_offsets(x); ++i)
    if (!tt_same_index(dfg->arena, tt_read_to_cb_offsets(x, i), tt_read_to_cb_offsets(y, i)))
      return false;
  return true;
}

/* Blocks that are loaded again. A kernel has few loads, since each has a circular buffer. */
static void note_loads(Opportunities *o) {
  const TtDfg *dfg = o->dfg;
  for (intptr_t i = 0; i < dfg->n; ++i) {
    const TtCB *cb = &dfg->cbs[i];
    if (!is_read(cb)) continue;
    const char *id = id_of(dfg, cb->producer);
    if (is_repeated(dfg, cb->producer))
      note(o, TT_DFG_OPPORTUNITY_KIND_TILE_REUSE, 1, &id, 1, (const char *[]){cb->name});
    for (intptr_t j = i + 1; j < dfg->n; ++j)
      if (is_read(&dfg->cbs[j]) && same_place(dfg, cb, &dfg->cbs[j]))
        note(o, TT_DFG_OPPORTUNITY_KIND_TILE_REUSE, 2,
             (const char *[]){id, id_of(dfg, dfg->cbs[j].producer)}, 2,
             (const char *[]){cb->name, dfg->cbs[j].name});
  }
}

/* A buffer whose life is over when another starts, and that is at least as large. */
static void note_sharing(Opportunities *o) {
  for (intptr_t i = 0; i < o->dfg->n; ++i) {
    const TtCB *cb = &o->dfg->cbs[i], *other = o->dfg->cbs, *end = other + o->dfg->n;
    if (cb->role != TT_CB_ROLE_INTERMEDIATE) continue;
    while (other < end && !(other->role == TT_CB_ROLE_INTERMEDIATE && other->last < cb->first &&
                            mlirTypeEqual(other->type, cb->type) && other->depth >= cb->depth))
      ++other;
    if (other < end)
      note(o, TT_DFG_OPPORTUNITY_KIND_CB_SHARING, 0, NULL, 2,
           (const char *[]){cb->name, other->name});
  }
}

/* Nodes of one level need nothing of each other. */
static void note_overlap(Opportunities *o) {
  const TtDfg *dfg = o->dfg;
  intptr_t n = dfg->num_graph;
  intptr_t *start = tt_arena_alloc(dfg->arena, (size_t)(n + 2) * sizeof *start);
  const char **ids = tt_arena_alloc(dfg->arena, (size_t)(n + 1) * sizeof *ids);
  for (intptr_t i = 0; i < n; ++i) ++start[dfg->graph[i].level + 1];
  for (intptr_t i = 0; i < n; ++i) start[i + 1] += start[i];
  for (intptr_t i = 0; i < n; ++i) ids[start[dfg->graph[i].level]++] = dfg->graph[i].id;
  for (intptr_t level = 0, first = 0; level < n; first = start[level++])
    if (start[level] - first > 1)
      note(o, TT_DFG_OPPORTUNITY_KIND_OVERLAP, start[level] - first, ids + first, 0, NULL);
}

/*===- The graph ------------------------------------------------------------------------------===*/

static MlirAttribute validation(const TtDfg *dfg, MlirContext context) {
  int64_t total = dfg->n + dfg->num_spills, limit = tt_target_of(dfg->func).cbs;
  return tt_dfg_validation_attr_get(context, total, limit,
                                    total > limit - SPARE_CBS ? TT_DFG_STATUS_NEARLY_FULL
                                                              : TT_DFG_STATUS_VALID);
}

MlirAttribute tt_dfg_attr(TtDfg *dfg) {
  TtArena *arena = dfg->arena;
  MlirContext context = mlirOperationGetContext(dfg->func);
  intptr_t total = dfg->n + dfg->num_spills;
  MlirAttribute *nodes = tt_arena_alloc(arena, (size_t)(dfg->num_graph + 1) * sizeof *nodes),
                *edges = tt_arena_alloc(arena, (size_t)(dfg->num_edges + 1) * sizeof *edges),
                *cbs = tt_arena_alloc(arena, (size_t)(total + 1) * sizeof *cbs);
  for (intptr_t i = 0; i < dfg->num_graph; ++i) nodes[i] = node_attr(dfg, context, &dfg->graph[i]);
  for (intptr_t i = 0; i < dfg->num_edges; ++i) {
    const TtDfgEdge *e = &dfg->edges[i];
    edges[i] =
        tt_dfg_edge_attr_get(context, tt_str(dfg->graph[e->from].id), tt_str(dfg->graph[e->to].id),
                             tt_str(e->cb ? e->cb->name : ""), e->kind);
  }
  for (intptr_t i = 0; i < total; ++i)
    cbs[i] = cb_attr(dfg, context, i < dfg->n ? &dfg->cbs[i] : &dfg->spills[i - dfg->n]);
  Opportunities o = {.dfg = dfg, .context = context};
  note_shared_blocks(&o);
  note_loads(&o);
  note_sharing(&o);
  note_overlap(&o);
  return tt_tile_dfg_attr_get(context, mlirArrayAttrGet(context, dfg->num_graph, nodes),
                              mlirArrayAttrGet(context, dfg->num_edges, edges),
                              mlirArrayAttrGet(context, total, cbs),
                              mlirArrayAttrGet(context, o.n, o.data), validation(dfg, context));
}

/* A hint while there is still room: the next fused op may be one too many. */
static void warn_if_nearly_full(const TtDfg *dfg) {
  int64_t total = dfg->n + dfg->num_spills, limit = tt_target_of(dfg->func).cbs;
  if (total > limit - SPARE_CBS)
    tt_warning(dfg->func, "the kernel needs %jd of the %s %jd circular buffers", (intmax_t)total,
               limit < (int64_t)tt_target_of(dfg->func).chip->cbs ? "target's" : "chip's",
               (intmax_t)limit);
}

bool tt_build_dfg(TtArena *arena, MlirOperation func) {
  TtDfg dfg;
  if (!tt_complete_short_form(arena, func) || !tt_analyze_dfg(arena, func, &dfg) ||
      !tt_assign_cbs(&dfg))
    return false;
  warn_if_nearly_full(&dfg);
  for (intptr_t i = 0; i < dfg.n; ++i)
    mlirOperationSetInherentAttributeByName(
        dfg.cbs[i].alloc, tt_str("name"),
        tt_string_attr(mlirOperationGetContext(func), dfg.cbs[i].name));
  tt_set_attr(func, "tt.tile_dfg", tt_dfg_attr(&dfg));
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
