/* Ops that work on blocks of tensors, and go over it together (step_together.c). */
#ifndef TILEWRIGHT_STEP_TOGETHER_H
#define TILEWRIGHT_STEP_TOGETHER_H

#include "Support/value_map.h"
#include "Transforms/Raise/op_loop.h"

enum { TT_MOST_BLOCKS = 4 };

/* Statements that write a block of a tensor, or some whose ops take each other's, and nothing else,
 * whichever loops and branches its ops are in. Others may stand between them that could as well
 * stand behind. */
typedef struct TtRun {
  MlirValue blocks[TT_MOST_BLOCKS]; /* as the first ops call them */
  intptr_t n_blocks;
  TtOps statements; /* ops, loops and branches of one block of the IR */
  TtOps ops;        /* structured ops, in their order */
  bool in_loop;     /* a loop goes on with the blocks from step to step */
  bool reads_again; /* an op reads what another one has written, or itself in a step before */
} TtRun;

/* The runs that begin with one of `ops`, which are all of a kernel, in order. */
typedef struct TtRuns {
  TtArena *arena;
  TtOps ops;
  intptr_t next;
  TtOpMap done; /* ops of runs that were found */
} TtRuns;

/* The run that the op belongs to; false where it belongs to none. */
bool tt_run_of(TtArena *arena, MlirOperation op, TtRun *run);
TtRuns tt_runs_of(TtArena *arena, MlirOperation kernel);
/* The next run; false where there is none. */
bool tt_next_run(TtRuns *runs, TtRun *run);
/* Has loops that go on with a wide block from step to step do nothing else, where nothing else in
 * them has to do with it, so that what they do is a run (part_runs.c). */
void tt_part_runs(TtArena *arena, MlirOperation kernel);
/* Whether a block has more elements than are kept for an op without need, or open sizes. */
bool tt_is_wide(MlirType type);
/* Whether `op` computes a number, an index or a view, and nothing else. */
bool tt_only_computes(MlirOperation op);
/* Whether an op takes what its operand `operand` held. */
bool tt_takes_old(MlirOperation op, intptr_t operand);
/* Whether `value` is the same in all steps of `loop`, wherever in it it is made. */
bool tt_is_same_in(MlirOperation loop, MlirValue value);
/* Keeps the blocks in buffers of the core while the run lasts, where an op reads again what another
 * one has written (keep_outputs.c). Whether it does. */
bool tt_keep_run(TtArena *arena, const TtRun *run);
/* Keeps the block of a tensor that `fill` fills in a buffer of the core, from there to its last use
 * in the block of the IR. False where ops use parts of it, or it has no bounds. */
bool tt_keep_from(TtArena *arena, MlirOperation fill);
/* The size of dimension `d` of the blocks, along which all ops go, each element for itself:
 * INT64_MIN where it is open, 0 where they do not. */
int64_t tt_run_extent(const TtRun *run, intptr_t d);
/* Has the run go along dimension `d` in one loop, of steps of `size` elements and what is left. */
void tt_step_run(TtArena *arena, const TtRun *run, intptr_t d, int64_t size);

#endif
