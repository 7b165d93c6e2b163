/*===- dfg_graph.c - which op takes whose result -----------------------------------------------===
 *
 *   tt.read_to_cb %A[…], %a                 load0   -> matmul0  data, through %a
 *   tt.mm.mma %a, %b, dst = 0, …     =      matmul0 -> unary0   dst
 *   tt.sfpu.unary exp, dst = 0              unary0  -> store0   data, through %c
 *   tt.pack_to_cb dst = 0 -> %c
 *   tt.write_from_cb %c, %C[…]
 *
 * Ops are met in program order, with what is in each tile of DST. A sum over a loop is an edge
 * from its last product in a step to those that go on with it in the next. The value of a
 * buffer that compute keeps may come from before a loop or from its last step.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/sums.h"
#include "Dialect/op_info.h"

/* A tile of DST and the node that wrote it. */
typedef struct Tile {
  int64_t dst;
  intptr_t node;
  struct Tile *next;
} Tile;

/* The ops in a loop, by their places in program order. */
typedef struct Range {
  intptr_t first, last;
} Range;

typedef struct Builder {
  TtArena *arena;
  TtDfg *dfg;
  Tile *tiles;
  TtOpMap places; /* of an op, its place in `dfg->nodes` */
  TtOpMap loops;  /* of a loop, its place in `ranges` */
  Range *ranges;
  intptr_t num_ranges;
  TtOpMap ends; /* of what packs a sum, its last product's node */
  intptr_t edge_capacity;
} Builder;

static void add_edge(Builder *b, intptr_t from, intptr_t to, TtDfgEdgeKind kind, const TtCB *cb) {
  TtDfg *dfg = b->dfg;
  if (dfg->num_edges == b->edge_capacity) {
    intptr_t capacity = b->edge_capacity ? 2 * b->edge_capacity : 16;
    TtDfgEdge *edges = tt_arena_alloc(b->arena, (size_t)capacity * sizeof *edges);
    for (intptr_t i = 0; i < dfg->num_edges; ++i) edges[i] = dfg->edges[i];
    dfg->edges = edges, b->edge_capacity = capacity;
  }
  dfg->edges[dfg->num_edges++] = (TtDfgEdge){from, to, kind, cb};
}

/*===- DST ---------------------------------------------------------------------------------===*/

static Tile *tile_of(const Builder *b, int64_t dst) {
  Tile *tile = b->tiles;
  while (tile && tile->dst != dst) tile = tile->next;
  return tile;
}

static void write_tile(Builder *b, int64_t dst, intptr_t node) {
  Tile *tile = tile_of(b, dst);
  if (!tile) {
    tile = tt_arena_alloc(b->arena, sizeof *tile);
    *tile = (Tile){dst, node, b->tiles};
    b->tiles = tile;
  }
  tile->node = node;
}

static intptr_t add_node(Builder *b, MlirOperation op) {
  intptr_t at = b->dfg->num_graph++;
  b->dfg->graph[at] = (TtDfgNode){.op = op};
  return at;
}

static void use_tile(Builder *b, int64_t dst, intptr_t node) {
  const Tile *tile = tile_of(b, dst);
  if (tile) add_edge(b, tile->node, node, TT_DFG_EDGE_KIND_DST, NULL);
}

static intptr_t visit_pack(Builder *b, MlirOperation op) {
  const Tile *tile = tile_of(b, tt_op_dst(op));
  intptr_t node = tile ? tile->node : -1;
  bool own = node < 0 || !tt_is_null_value(b->dfg->graph[node].output);
  if (own) {
    node = add_node(b, op);
    if (tile) add_edge(b, tile->node, node, TT_DFG_EDGE_KIND_DST, NULL);
  }
  b->dfg->graph[node].output = tt_op_fills(op);
  return node;
}

/* A product that always adds goes on with what is there; how it goes on over a loop, see
 * add_sums(). */
static void visit_product(Builder *b, MlirOperation op, intptr_t node) {
  TtDfg *dfg = b->dfg;
  int spill = tt_op_map_get(&dfg->spill_of, op);
  int64_t flag;
  if (spill >= 0) dfg->graph[node].spill = &dfg->spills[spill];
  if (tt_constant(tt_mm_mma_accumulate(op), &flag) && flag) {
    const Tile *tile = tile_of(b, tt_op_dst(op));
    const TtCB *cb = dfg->graph[node].spill;
    if (tile)
      add_edge(b, tile->node, node, cb ? TT_DFG_EDGE_KIND_PARTIAL : TT_DFG_EDGE_KIND_DST, cb);
  }
  MlirOperation pack = tt_pack_after(dfg->sums, op);
  if (!mlirOperationIsNull(pack)) tt_op_map_set(b->arena, &b->ends, pack, (int)node);
}

static intptr_t visit(Builder *b, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  if (info->does == TT_ACT_PACK_BLOCK) return visit_pack(b, op);
  intptr_t node = add_node(b, op);
  if (info->does != TT_ACT_COMPUTE) {
    if (info->does == TT_ACT_LOAD) b->dfg->graph[node].output = tt_op_fills(op);
    return node;
  }
  MlirAttribute sources = tt_dst_sources(op);
  intptr_t n = mlirAttributeIsNull(sources) ? 0 : mlirDenseArrayGetNumElements(sources);
  for (intptr_t i = 0; i < n; ++i) use_tile(b, mlirDenseI64ArrayGetElement(sources, i), node);
  if (tt_works_in_place(op)) use_tile(b, tt_op_dst(op), node);
  if (tt_mm_mma_isa(op)) visit_product(b, op, node);
  write_tile(b, tt_op_dst(op), node);
  b->dfg->graph[node].output = tt_op_fills(op);
  if (!tt_is_null_value(tt_op_fills(op))) b->tiles = NULL; /* that ends the section */
  return node;
}

/* Sums over loops. */
static void add_sums(Builder *b) {
  TtDfg *dfg = b->dfg;
  for (intptr_t i = 0; i < dfg->num_graph; ++i) {
    MlirOperation op = dfg->graph[i].op;
    int64_t flag;
    if (!tt_mm_mma_isa(op) || tt_constant(tt_mm_mma_accumulate(op), &flag)) continue;
    MlirOperation pack = tt_pack_after(dfg->sums, op);
    int end = mlirOperationIsNull(pack) ? -1 : tt_op_map_get(&b->ends, pack);
    const TtCB *cb = dfg->graph[i].spill;
    add_edge(b, end < 0 ? i : end, i, cb ? TT_DFG_EDGE_KIND_PARTIAL : TT_DFG_EDGE_KIND_DST, cb);
  }
}

/*===- Circular buffers ----------------------------------------------------------------------===*/

static void collect_loops(Builder *b) {
  TtDfg *dfg = b->dfg;
  TtOps loops = tt_collect(b->arena, dfg->func, "scf.for");
  b->ranges = tt_arena_alloc(b->arena, (size_t)(loops.n + 1) * sizeof *b->ranges);
  for (intptr_t i = 0; i < dfg->nodes.n; ++i)
    for (MlirOperation p = tt_parent(dfg->nodes.data[i]); !tt_op_eq(p, dfg->func);
         p = tt_parent(p)) {
      if (!tt_op_is(p, "scf.for")) continue;
      int at = tt_op_map_get(&b->loops, p);
      if (at < 0) {
        at = (int)b->num_ranges++;
        b->ranges[at].first = i;
        tt_op_map_set(b->arena, &b->loops, p, at);
      }
      b->ranges[at].last = i;
    }
}

/* The last op that fills `cb` at a place up to `last`, or -1. */
static intptr_t filled_until(const Builder *b, const TtCB *cb, intptr_t last) {
  intptr_t low = 0, high = cb->fillers.n;
  while (low < high) {
    intptr_t middle = (low + high) / 2;
    if (tt_op_map_get(&b->places, cb->fillers.data[middle]) <= last) low = middle + 1;
    else high = middle;
  }
  return low == 0 ? -1 : tt_op_map_get(&b->places, cb->fillers.data[low - 1]);
}

static void add_data(Builder *b, intptr_t place, intptr_t to, const TtCB *cb) {
  intptr_t from = tt_op_map_get(&b->dfg->node_of, b->dfg->nodes.data[place]);
  add_edge(b, from, to, TT_DFG_EDGE_KIND_DATA, cb);
}

/* What the op at `place` reads in `cb`: the value of the last op before it, and, in loops that
 * have none before it, the last one of the step before. */
static void add_reads(Builder *b, intptr_t place, const TtCB *cb) {
  MlirOperation op = b->dfg->nodes.data[place];
  intptr_t to = tt_op_map_get(&b->dfg->node_of, op);
  if (!cb->held && cb->fillers.n == 1) {
    add_data(b, tt_op_map_get(&b->places, cb->producer), to, cb);
    return;
  }
  intptr_t before = filled_until(b, cb, place - 1), known = before;
  if (before >= 0) add_data(b, before, to, cb);
  for (MlirOperation p = tt_parent(op); !tt_op_eq(p, b->dfg->func); p = tt_parent(p)) {
    if (!tt_op_is(p, "scf.for")) continue;
    Range r = b->ranges[tt_op_map_get(&b->loops, p)];
    if (before >= r.first) return;
    intptr_t after = filled_until(b, cb, r.last);
    if (after >= place && after != known) add_data(b, known = after, to, cb);
  }
}

/*===- Everything ----------------------------------------------------------------------------===*/

/* By their ends, and else as they were found. */
static void sort_edges(Builder *b) {
  TtDfg *dfg = b->dfg;
  intptr_t *start = tt_arena_alloc(b->arena, (size_t)(dfg->num_graph + 2) * sizeof *start);
  TtDfgEdge *sorted = tt_arena_alloc(b->arena, (size_t)(dfg->num_edges + 1) * sizeof *sorted);
  for (intptr_t i = 0; i < dfg->num_edges; ++i) ++start[dfg->edges[i].to + 1];
  for (intptr_t i = 0; i < dfg->num_graph; ++i) start[i + 1] += start[i];
  for (intptr_t i = 0; i < dfg->num_edges; ++i) sorted[start[dfg->edges[i].to]++] = dfg->edges[i];
  dfg->edges = sorted;
}

static void note_life(TtCB *cb, intptr_t node) {
  if (cb->first < 0 || node < cb->first) cb->first = node;
  if (node > cb->last) cb->last = node;
}

static void find_lives(TtDfg *dfg) {
  for (intptr_t i = 0; i < dfg->n; ++i) {
    TtCB *cb = &dfg->cbs[i];
    cb->first = cb->last = -1;
    for (intptr_t j = 0; j < cb->fillers.n; ++j)
      note_life(cb, tt_op_map_get(&dfg->node_of, cb->fillers.data[j]));
    for (intptr_t j = 0; j < cb->consumers.n; ++j)
      note_life(cb, tt_op_map_get(&dfg->node_of, cb->consumers.data[j]));
  }
  for (intptr_t i = 0; i < dfg->num_spills; ++i) dfg->spills[i].first = dfg->spills[i].last = -1;
  for (intptr_t i = 0; i < dfg->num_graph; ++i)
    if (dfg->graph[i].spill) note_life(&dfg->spills[dfg->graph[i].spill - dfg->spills], i);
}

/* The nodes on the longest way to each, by edges that lead on in program order. */
static void find_levels(TtDfg *dfg) {
  for (intptr_t i = 0; i < dfg->num_edges; ++i) {
    const TtDfgEdge *e = &dfg->edges[i];
    int64_t level = dfg->graph[e->from].level + 1;
    if (e->from < e->to && level > dfg->graph[e->to].level) dfg->graph[e->to].level = level;
  }
}

static void name_nodes(TtDfg *dfg) {
  int count[TT_DFG_NODE_KIND_COUNT] = {0};
  for (intptr_t i = 0; i < dfg->num_graph; ++i) {
    int kind = tt_op_info(dfg->graph[i].op)->node;
    dfg->graph[i].id =
        tt_arena_printf(dfg->arena, "%s%d", tt_dfg_node_kind_str(kind), count[kind]++);
  }
}

void tt_build_graph(TtDfg *dfg) {
  Builder b = {.arena = dfg->arena, .dfg = dfg};
  dfg->graph = tt_arena_alloc(dfg->arena, (size_t)(dfg->nodes.n + 1) * sizeof *dfg->graph);
  for (intptr_t i = 0; i < dfg->nodes.n; ++i) {
    tt_op_map_set(dfg->arena, &b.places, dfg->nodes.data[i], (int)i);
    tt_op_map_set(dfg->arena, &dfg->node_of, dfg->nodes.data[i],
                  (int)visit(&b, dfg->nodes.data[i]));
  }
  add_sums(&b);
  collect_loops(&b);
  for (intptr_t i = 0; i < dfg->nodes.n; ++i) {
    TtTraffic t = tt_traffic(dfg->nodes.data[i]);
    for (int j = 0; j < t.num_in; ++j)
      if (j == 0 || !tt_value_eq(t.in[0], t.in[1])) add_reads(&b, i, tt_dfg_cb(dfg, t.in[j]));
  }
  sort_edges(&b);
  find_lives(dfg);
  find_levels(dfg);
  name_nodes(dfg);
}
