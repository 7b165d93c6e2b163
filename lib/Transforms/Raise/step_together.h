/* Ops that work on one block of a tensor, and go over it together (step_together.c). */
#ifndef TILEWRIGHT_STEP_TOGETHER_H
#define TILEWRIGHT_STEP_TOGETHER_H

#include "Transforms/Raise/op_loop.h"

/* Statements that stand one after the other and write one block of a tensor alone, whichever loops
 * its ops are in. */
typedef struct TtRun {
  MlirValue block; /* as the first op calls it */
  TtOps
      statements; /* ops and loops of one block of the IR, with nothing between them that counts */
  TtOps ops;      /* structured ops, in their order */
  bool in_loop;   /* a loop goes on with the block from step to step */
  bool reads_again; /* an op reads what another one has written, or itself in a step before */
} TtRun;

/* The run that the op belongs to; false where it belongs to none. */
bool tt_run_of(TtArena *arena, MlirOperation op, TtRun *run);
/* The next run that begins with ops[*i] or behind it, and moves *i behind the run; false where
 * there is none. `ops` are all of a kernel, in order. */
bool tt_next_run(TtArena *arena, TtOps ops, intptr_t *i, TtRun *run);
/* Whether `value` is the same in all steps of `loop`, wherever in it it is made. */
bool tt_is_same_in(MlirOperation loop, MlirValue value);
/* Keeps the block in a buffer of the core while the run lasts, where an op reads again what another
 * one has written (keep_outputs.c). Whether it does. */
bool tt_keep_run(TtArena *arena, const TtRun *run);
/* Keeps the block of a tensor that `fill` fills in a buffer of the core, from there to its last use
 * in the block of the IR. False where ops use parts of it, or it has no bounds. */
bool tt_keep_from(TtArena *arena, MlirOperation fill);
/* The size of dimension `d` of the block, along which all ops go, each element for itself:
 * INT64_MIN where it is open, 0 where they do not. */
int64_t tt_run_extent(const TtRun *run, intptr_t d);
/* Has the run go along dimension `d` in one loop, of steps of `size` elements and what is left. */
void tt_step_run(TtArena *arena, const TtRun *run, intptr_t d, int64_t size);

#endif
