/*===- graph.h - linalg ops of a model, and which of them are one kernel --------------------===
 *
 * A group is a root, whose result leaves the kernel, and ops whose results ops of the group need;
 * of these some leave the kernel as well. Blocks of the root's result are the units of work; each
 * loop of a member follows one loop of the root, or runs through all of its range in each unit.
 *
 *===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_MODEL_GRAPH_H
#define TILEWRIGHT_MODEL_GRAPH_H

#include "Dialect/target.h"
#include "Transforms/Model/model.h"

enum { TT_MODEL_LOOPS = 12, TT_WHOLE = -1 };
/* What one more kernel takes beside its work, in clk: its start on all cores, the first read and
 * the last write, and what the others of a line wait for these. Measured on the models of
 * bench/rooflines.py: with less, small ones have kernels that only turn or cast. */
enum { TT_MODEL_LAUNCH_CLK = 10000, TT_MODEL_STEP_PICKS = 3 };

typedef enum TtModelKind {
  TT_MODEL_FILL,
  TT_MODEL_MAP,
  TT_MODEL_GATHER, /* a map that loads rows at indices: a kernel of its own */
  TT_MODEL_REDUCTION,
  TT_MODEL_PRODUCT
} TtModelKind;

typedef struct TtModelOp {
  MlirOperation op;
  TtModelKind kind;
  const char *label;              /* in the schedule: "product3" */
  intptr_t loops;                 /* at most TT_MODEL_LOOPS */
  int64_t extent[TT_MODEL_LOOPS]; /* of each loop; MLIR's dynamic size where it is not known */
  bool parallel[TT_MODEL_LOOPS];
  int follows[TT_MODEL_LOOPS]; /* the loop of the root, or TT_WHOLE */
  intptr_t group;
  bool fed;    /* of users.c */
  bool leaves; /* no root, and ops of later groups need its result */
} TtModelOp;

typedef struct TtModelGroup {
  intptr_t root;                /* index of its op */
  int64_t rows, cols;           /* loops of the root that are those of a matrix, or -1 */
  bool whole[TT_MODEL_LOOPS];   /* loops of the root that a unit goes through */
  int64_t tile[TT_MODEL_LOOPS]; /* of a unit along each loop of the root */
  int64_t step, sum_step;       /* of sums of products, and of others; 0 where all is one step */
  double time;                  /* clk of the busiest core, about */
  int join; /* grids with the same number, from 1 on, are joined; 0: with none */
  int pick; /* which plan: of the blocks, fastest first, TT_MODEL_STEP_PICKS each */
} TtModelGroup;

/* In the order of the function's body. */
typedef struct TtModelGraph {
  MlirOperation func;
  TtTarget target;
  int64_t l1_bytes;        /* what a unit may hold */
  double launch_clk;       /* what one more kernel takes beside its work */
  TtModelOp *ops, *before; /* before a try to join */
  intptr_t n;
  TtModelGroup *groups; /* in the order of their roots, from the last to the first */
  intptr_t num_groups;
  bool splits_rows; /* --tt-split-rows runs on its kernels */
  bool apart;       /* each op is a kernel, with what its sums start from */
} TtModelGraph;

/* Gives each fill and each result an output of its own. */
void tt_model_unshare(TtArena *arena, MlirOperation func);
/* Bytes of a core's L1 that may be blocks of a unit; the rest is for sums. */
int64_t tt_model_usable_l1(MlirOperation func);
/* The linalg ops of `func` that yield one tensor, each a group of its own, with labels that count
 * from `first` on. A unit of work may hold `l1_bytes`. */
TtModelGraph tt_model_graph(TtArena *arena, MlirOperation func, intptr_t first, int64_t l1_bytes);
/* The group that is kernel `i` in the order of the function's body. */
TtModelGroup *tt_model_kernel(TtModelGraph *graph, intptr_t i);
/* The op that yields `value`, or -1. */
intptr_t tt_model_producer(const TtModelGraph *graph, MlirValue value);
/* How many elements a loop has of a unit's block, along loop `loop` of op `op`. */
int64_t tt_model_block(const TtModelGraph *graph, const TtModelOp *op, intptr_t loop);
/* Whether `loop` is the last of those that `op` sums over. */
bool tt_model_is_last(const TtModelOp *op, intptr_t loop);
/* Whether the sums of `user` go through parts of its operand `i` that a buffer of the core does not
 * have. */
bool tt_model_takes_parts(const TtModelOp *user, intptr_t i);
/* The step of the sums of `op` along its loops; 0 where they are one step. */
int64_t tt_model_step(const TtModelGraph *graph, const TtModelOp *op);
/* The dimensions of operand `i` of `op`, which has `rank`, that are a matrix: columns, rows. They
 * are the last two; of what others see collapsed (tokens x [heads, features]) the last of each of
 * the last two groups. */
void tt_model_matrix_dims(const TtModelOp *op, intptr_t i, intptr_t rank, intptr_t *dims);
/* The loops of a gather that are one dimension, a row, to what reads its result: the last ones. */
intptr_t tt_model_row_loops(const TtModelOp *op);
/* Whether cores may take parts of the rows of a gather: whole tiles of one dimension. */
bool tt_model_parts_rows(const TtModelOp *op);
/* The group that `op` may be a part of, since it has the first of its users; or -1. */
intptr_t tt_model_group_of_users(const TtModelGraph *graph, const TtModelOp *op);
/* Whether ops outside of group `to` need the result of `op`; and whether they may, where `op` is
 * in it: they come after its root. */
bool tt_model_leaves(const TtModelGraph *graph, const TtModelOp *op, intptr_t to);
bool tt_model_may_leave(const TtModelGraph *graph, const TtModelOp *op, intptr_t to);
/* Moves ops so that what needs a second result of a kernel comes after its root. */
void tt_model_order(TtArena *arena, const TtModelGraph *graph);
/* Finds groups: which producers join the kernels of their users. */
void tt_model_group(TtModelGraph *graph);
/* Finds kernels that become one, unit by unit: as many units, neither needs what the other gives.
 */
void tt_model_join(TtArena *arena, TtModelGraph *graph);
/* Remarks of `pass`, at each op: in whose kernel it is, or why not in its user's. */
void tt_model_explain(TtModelGraph *graph, const char *pass);
/* Chooses blocks and steps of a group. False where no block fits L1. */
bool tt_model_tile(TtModelGraph *graph, TtModelGroup *group);
/* Bytes that a unit of `group` holds in L1. */
int64_t tt_model_l1(const TtModelGraph *graph, const TtModelGroup *group);
/* Tiles of the block that a step of `op` takes of operand `i`, a tensor. */
int64_t tt_model_block_tiles(const TtModelGraph *graph, const TtModelOp *op, intptr_t i);
/* Circular buffers that a kernel of `group` needs, about. */
intptr_t tt_model_buffers(const TtModelGraph *graph, const TtModelGroup *group);
/* Units of work of a group with its blocks. */
int64_t tt_model_units(const TtModelGraph *graph, const TtModelGroup *group);
/* Blocks of `tile` along a loop of `extent`, which is taken to be long where it is open. */
int64_t tt_model_blocks_along(int64_t extent, int64_t tile);
/* How many operands cores send each other, which stand in lines by their blocks: 2 where units are
 * a rectangle of cores with a line for each block of rows, and one for each block of columns or for
 * as many of these as a core has units: then each operand has one reader a line. 1 where the
 * columns' blocks fill lines, lines hold several such rows, or each holds the heads of one; else 0,
 * since a line has units of this and that. */
int tt_model_shared_operands(const TtModelGraph *graph, const TtModelGroup *group);
/* The clk of a group with its blocks, about, without those of its launch. */
double tt_model_time(const TtModelGraph *graph, const TtModelGroup *group);

#endif
