/*===- read_tile_dfg.c - the graph of C3, checked against the kernel --------------------------===
 *
 * What the kernel says (nodes, edges, roles, lives) must be what the graph says; what the graph
 * decides (ids, names, depths, where partial sums go) is taken from it.
 *
 *===----------------------------------------------------------------------===*/

#include "Support/text.h"
#include "Transforms/Split/split.h"
#include "Transforms/Tile/build_tile_dfg.h"

#include <string.h>

static bool stale(const TtDfg *dfg, const char *what) {
  return tt_error(dfg->func,
                  "tt.tile_dfg is not the graph of this kernel: %s; run --tt-build-tile-dfg again",
                  what);
}

static MlirAttribute entry_of(MlirAttribute graph, MlirStringRef name) {
  MlirAttribute all = tt_tile_dfg_attr_cb_assignments(graph);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(all, i);
    if (mlirStringRefEqual(tt_dfg_cb_attr_name(entry), name)) return entry;
  }
  return mlirAttributeGetNull();
}

/* What the graph decides of one circular buffer. */
static bool adopt(TtDfg *dfg, TtCB *cb, MlirAttribute entry, bool taken[TT_MAX_CBS]) {
  if (mlirAttributeIsNull(entry))
    return stale(dfg,
                 tt_arena_printf(dfg->arena, "circular buffer '%s' is not in the graph", cb->name));
  int64_t limit = tt_target_of(dfg->func).cbs;
  cb->id = tt_dfg_cb_attr_id(entry);
  cb->depth = tt_dfg_cb_attr_depth(entry);
  if (cb->id < 0 || cb->id >= limit || cb->depth < 1)
    return tt_error(dfg->func,
                    "[rule 8] tt.tile_dfg gives '%s' id %jd and %jd blocks, but the chip has "
                    "%jd circular buffers, of one block at least",
                    cb->name, (intmax_t)cb->id, (intmax_t)cb->depth, (intmax_t)limit);
  if (taken[cb->id])
    return tt_error(dfg->func, "tt.tile_dfg gives id %jd to two circular buffers, one of them '%s'",
                    (intmax_t)cb->id, cb->name);
  return taken[cb->id] = true;
}

/* The buffers of partial sums have the names that the graph's products say. */
static bool adopt_spills(TtDfg *dfg, MlirAttribute graph, bool taken[TT_MAX_CBS]) {
  MlirAttribute nodes = tt_tile_dfg_attr_nodes(graph);
  for (intptr_t i = 0; i < dfg->num_graph; ++i) {
    TtCB *cb = (TtCB *)dfg->graph[i].spill;
    if (!cb || cb->name) continue;
    MlirStringRef name = i < mlirArrayAttrGetNumElements(nodes)
                             ? tt_dfg_node_attr_spill(mlirArrayAttrGetElement(nodes, i))
                             : tt_str("");
    if (name.length == 0)
      return stale(dfg, tt_arena_printf(dfg->arena,
                                        "product '%s' has partial sums, but its node has no spill",
                                        dfg->graph[i].id));
    cb->name = tt_arena_str(dfg->arena, name);
    if (!adopt(dfg, cb, entry_of(graph, name), taken)) return false;
  }
  return true;
}

static void append(MlirStringRef part, void *text) { tt_text_append(text, part.data, part.length); }

/* The first element in which two lists differ, as an error. */
static bool compare(const TtDfg *dfg, const char *what, MlirAttribute given, MlirAttribute own) {
  intptr_t n = mlirArrayAttrGetNumElements(given), m = mlirArrayAttrGetNumElements(own), i = 0;
  if (mlirAttributeEqual(given, own)) return true;
  while (i < n && i < m &&
         mlirAttributeEqual(mlirArrayAttrGetElement(given, i), mlirArrayAttrGetElement(own, i)))
    ++i;
  TtText text = {NULL, 0, 0};
  tt_text_printf(&text, "its %s %jd is ", what, (intmax_t)i);
  if (i < n) mlirAttributePrint(mlirArrayAttrGetElement(given, i), append, &text);
  else tt_text_printf(&text, "missing");
  tt_text_printf(&text, ", but the kernel has ");
  if (i < m) mlirAttributePrint(mlirArrayAttrGetElement(own, i), append, &text);
  else tt_text_printf(&text, "%jd", (intmax_t)m);
  stale(dfg, text.data);
  tt_text_free(&text);
  return false;
}

bool tt_read_dfg(TtArena *arena, MlirOperation func, TtDfg *dfg) {
  MlirAttribute graph = tt_get_attr(func, "tt.tile_dfg"), own;
  bool taken[TT_MAX_CBS] = {false};
  if (!tt_tile_dfg_attr_isa(graph))
    return tt_error(func, "the kernel has no tile dataflow graph: run --tt-build-tile-dfg (stage "
                          "C) first, or --tt-complete-level-2 where it was written on level 2");
  if (!tt_analyze_dfg(arena, func, dfg)) return false;
  for (intptr_t i = 0; i < dfg->n; ++i)
    if (!adopt(dfg, &dfg->cbs[i], entry_of(graph, tt_str(dfg->cbs[i].name)), taken)) return false;
  if (!adopt_spills(dfg, graph, taken)) return false;
  own = tt_dfg_attr(dfg);
  if (mlirAttributeEqual(graph, own)) return true;
  return compare(dfg, "node", tt_tile_dfg_attr_nodes(graph), tt_tile_dfg_attr_nodes(own)) &&
         compare(dfg, "edge", tt_tile_dfg_attr_edges(graph), tt_tile_dfg_attr_edges(own)) &&
         compare(dfg, "circular buffer", tt_tile_dfg_attr_cb_assignments(graph),
                 tt_tile_dfg_attr_cb_assignments(own)) &&
         compare(dfg, "opportunity", tt_tile_dfg_attr_opportunities(graph),
                 tt_tile_dfg_attr_opportunities(own)) &&
         stale(dfg, "its validation counts other circular buffers");
}
