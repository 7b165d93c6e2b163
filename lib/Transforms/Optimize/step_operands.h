/* What the steps of a loop read and multiply (step_operands.c). */
#ifndef TILEWRIGHT_STEP_OPERANDS_H
#define TILEWRIGHT_STEP_OPERANDS_H

#include "tilewright/ir.h"

/* A circular buffer that a step fills, and the dimension along which steps follow each other. */
typedef struct TtStepOperand {
  MlirOperation read;
  MlirValue cb;
  int side;           /* 0: its rows are summed over, 1: its columns */
  MlirOperation turn; /* what turns another operand to this one, which is read */
} TtStepOperand;

typedef struct TtStepLoop {
  TtArena *arena;
  MlirOperation op;
  int64_t lower, upper, steps, step;
  int64_t factor; /* steps that are made one */
  TtOps products, turns;
  TtStepOperand *operands;
  intptr_t n;
  const char *reason; /* why not */
} TtStepLoop;

/* Reads what a loop does; false, with `reason`, where that is more than to read operands, perhaps
 * to turn them, and to multiply them. */
bool tt_collect_step(TtStepLoop *loop);
/* Whether several steps of it may be one. */
bool tt_can_merge_steps(TtStepLoop *loop);
/* Whether the last of the longer steps may end behind the tensors: what is read there is zero in
 * both factors of a product, which adds nothing to its sum. */
bool tt_may_end_behind(const TtStepLoop *loop);

#endif
