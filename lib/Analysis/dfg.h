/* The tile dataflow of a level-2 kernel: what C3 records and D1 acts on. */
#ifndef TILEWRIGHT_DFG_H
#define TILEWRIGHT_DFG_H

#include "Analysis/kernel.h"
#include "Support/value_map.h"

/* A circular buffer of the kernel and the ops around it. One of partial sums has neither
 * `alloc` nor `value`, and its `producer` is the first product. */
typedef struct TtCB {
  MlirOperation alloc;
  MlirValue value;
  MlirType type;
  const char *name; /* cb_in0, cb_out0, cb_intermed0 */
  TtCBRole role;
  int64_t id;
  const TtArg *tensor; /* what is moved through it, or NULL */
  int64_t depth;       /* blocks */
  MlirOperation producer;
  TtOps consumers;
  TtOps fillers;       /* ops that fill it, in program order: one, unless it is held */
  bool held;           /* the kernel says itself when its block is in use (tt.cb_open) */
  int64_t first, last; /* nodes of the graph, in program order, that touch it */
} TtCB;

/* A node of the graph. A tt.pack_to_cb belongs to the node whose result it packs; only where
 * that is packed already, it is a node. */
typedef struct TtDfgNode {
  MlirOperation op;
  const char *id;
  MlirValue output;  /* the circular buffer where its result goes, or null */
  const TtCB *spill; /* of a product whose partial sums leave DST, or NULL */
  int64_t level;     /* the nodes on the longest way to it, loops left out */
} TtDfgNode;

typedef struct TtDfgEdge {
  intptr_t from, to;
  TtDfgEdgeKind kind;
  const TtCB *cb; /* NULL in DST */
} TtDfgEdge;

typedef struct TtDfg {
  TtArena *arena;
  MlirOperation func;
  TtArgs args;
  TtOps nodes; /* data movement and compute, in program order */
  TtCB *cbs;   /* by role, then by argument */
  intptr_t n;
  TtCB *spills; /* partial sums, in program order */
  intptr_t num_spills;
  TtDfgNode *graph;
  intptr_t num_graph;
  TtValueMap cb_of;      /* of a circular buffer, its place in `cbs` */
  TtOpMap spill_of;      /* of a product, the place of its partial sums in `spills` */
  struct TtSumMap *sums; /* NULL where there is no product */
  TtOpMap node_of;       /* of an op in `nodes`, its node of the graph */
  TtDfgEdge *edges;      /* by `to` */
  intptr_t num_edges;
} TtDfg;

/* Circular buffers that an op of level 2 reads and the one it fills, or null. */
typedef struct TtTraffic {
  MlirValue in[2], out;
  int num_in;
} TtTraffic;
TtTraffic tt_traffic(MlirOperation op);

/* Names the target of the short form (a result that no op packs, in a kernel
 * that writes one circular buffer which none fills) with a tt.pack_to_cb. */
bool tt_complete_short_form(TtArena *arena, MlirOperation func);
/* Analyses a kernel: buffers by the names of their tt.alloc_cb, with roles, lives and depths,
 * but no ids (-1); partial sums without names; false after an error. */
bool tt_analyze_dfg(TtArena *arena, MlirOperation func, TtDfg *dfg);
/* Gives all circular buffers ids and names, by their roles; false where the chip has too few. */
bool tt_assign_cbs(TtDfg *dfg);
TtCB *tt_dfg_cb(TtDfg *dfg, MlirValue value);
/* Gives a circular buffer of the kernel another depth, and tt.cb.<tensor> of what it carries. */
void tt_set_cb_depth(TtDfg *dfg, MlirValue cb, int64_t depth);

/* The nodes and edges of `dfg`, whose buffers are known; of tt_analyze_dfg() (dfg_graph.c). */
void tt_build_graph(TtDfg *dfg);

#endif
