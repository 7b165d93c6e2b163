/* Which loops of an op are taken step by step, so that each step works on blocks of at most two
 * dimensions (outer_steps.c). */
#ifndef TILEWRIGHT_OUTER_STEPS_H
#define TILEWRIGHT_OUTER_STEPS_H

#include "Transforms/Tile/block.h"

enum { TT_STEP_LOOPS = 12, TT_STEP_OPERANDS = 16 };

/* An index of an operand: a sum of loops times constants. Of those that are not stepped, one is
 * left at most, times 1, or, of a tensor, times a stride: the dimension is then a window of its
 * extent. */
typedef struct TtStepIndex {
  int64_t factor[TT_STEP_LOOPS], constant;
  int window; /* that loop, or -1 */
} TtStepIndex;

typedef struct TtOuterSteps {
  MlirOperation op;
  intptr_t loops, operands;
  bool copy, stepped[TT_STEP_LOOPS], unrolled;
  bool lines; /* of a block, which no op of the chip combines within a tile */
  int64_t extent[TT_STEP_LOOPS];
  TtStepIndex index[TT_STEP_OPERANDS][TT_MAX_RANK]; /* along each dimension of an operand */
  MlirOperation fill; /* where not null, what the output starts from, in each step */
  MlirValue out;      /* the output at that step, once it is filled */
} TtOuterSteps;

bool tt_is_core_buffer(MlirValue memref);
/* The rank of operand `i`; the one loop of an index, or -1; whether a loop sums nothing; whether
 * nothing reads an operand. */
intptr_t tt_step_rank(const TtOuterSteps *s, intptr_t i);
int tt_lone_loop(const TtStepIndex *x);
bool tt_is_parallel_step(const TtOuterSteps *s, int loop);
bool tt_is_unused_operand(const TtOuterSteps *s, intptr_t i);
/* Finds them; false where there are none, or not all can be. `deep_sums`: also sums over three
 * loops that are no products. */
bool tt_find_outer_steps(MlirOperation op, bool deep_sums, TtOuterSteps *s);

/* Takes the outer steps of `op` (step_outer_dims.c), after `fill`, which fills its output, or null;
 * false where it has none. */
bool tt_step_outer(TtArena *arena, MlirOperation op, MlirOperation fill, bool deep_sums);
/* Whether `op` is the next to work on what `fill` fills, with one output. */
bool tt_starts_sum(MlirOperation fill, MlirOperation op);
/* Has fills of a tensor's block stand right before the sum onto it. */
void tt_sink_fills(TtArena *arena, MlirOperation kernel);

#endif
