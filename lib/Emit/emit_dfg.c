/*===- emit_dfg.c - the tile dataflow graph as DOT -------------------------------------===
 *
 * What flows in DST is drawn bold, partial sums dashed.
 *
 *===----------------------------------------------------------------------===*/

#include "tilewright/emit.h"

#include "Dialect/target.h"
#include "Support/text.h"

static void graph(TtText *out, MlirStringRef name, MlirAttribute dfg) {
  static const char *const shapes[] = {"box", "ellipse", "box"};
  static const char *const styles[] = {"", ", style = bold", ", style = dashed"};
  MlirAttribute nodes = tt_tile_dfg_attr_nodes(dfg), edges = tt_tile_dfg_attr_edges(dfg);
  tt_text_printf(out, "digraph \"%.*s\" {\n  rankdir = LR;\n", (int)name.length, name.data);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(nodes); ++i) {
    MlirAttribute node = mlirArrayAttrGetElement(nodes, i);
    MlirStringRef id = tt_dfg_node_attr_id(node);
    tt_text_printf(out, "  \"%.*s\" [shape = %s];\n", (int)id.length, id.data,
                   shapes[tt_dfg_node_attr_role(node)]);
  }
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(edges); ++i) {
    MlirAttribute edge = mlirArrayAttrGetElement(edges, i);
    MlirStringRef from = tt_dfg_edge_attr_from(edge), to = tt_dfg_edge_attr_to(edge),
                  cb = tt_dfg_edge_attr_cb(edge);
    TtDfgEdgeKind kind = tt_dfg_edge_attr_type(edge);
    if (kind == TT_DFG_EDGE_KIND_DST) cb = tt_str("DST");
    tt_text_printf(out, "  \"%.*s\" -> \"%.*s\" [label = \"%.*s\"%s];\n", (int)from.length,
                   from.data, (int)to.length, to.data, (int)cb.length, cb.data, styles[kind]);
  }
  tt_text_printf(out, "}\n");
}

bool tt_emit_dfg(MlirOperation module, TtWrite write, void *data) {
  TtArena *arena = tt_arena_create();
  TtOps ops = tt_collect(arena, module, NULL);
  TtText out = {NULL, 0, 0};
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirAttribute dfg = tt_get_attr(ops.data[i], "tt.tile_dfg");
    if (tt_tile_dfg_attr_isa(dfg)) graph(&out, tt_symbol_name(ops.data[i]), dfg);
  }
  bool ok = out.n > 0 || tt_error(module, "no kernel has a tile dataflow graph: run --tt-stage-c "
                                          "(--tt-build-tile-dfg) first");
  if (ok) write(out.data, out.n, data);
  tt_text_free(&out);
  tt_arena_destroy(arena);
  return ok;
}
