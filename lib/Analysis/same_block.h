/* Whether two steps of a parallel loop touch one element of blocks of a buffer (same_block.c). */
#ifndef TILEWRIGHT_SAME_BLOCK_H
#define TILEWRIGHT_SAME_BLOCK_H

#include "Analysis/same_element.h"

/* An op that reads or writes all of `view`, or, a load or store, one element of it. */
typedef struct TtBlockAccess {
  MlirOperation op;
  MlirValue view;
  bool writes;
} TtBlockAccess;

/* What is seen through views: the argument, the buffer, or what else `view` begins at. */
MlirValue tt_root_of_view(MlirValue view);
/* Two different steps of `loop`, a parallel loop of at most TT_PARALLEL_DIMS dimensions, and the
 * element of `*seen` that both touch, which is their root or a view of it. `a` and `b` may be one
 * access. Where their roots are two values, or one inside of the loop, these are taken to be one
 * buffer. `*same` is set for TT_MEET only. */
TtMeets tt_same_block_of_steps(TtArena *arena, MlirOperation loop, const TtBlockAccess *a,
                               const TtBlockAccess *b, MlirValue *seen, TtSameElement *same);
/* Whether `value` is the same in all steps of `loop`. */
bool tt_is_same_in_steps(MlirOperation loop, MlirValue value);

#endif
