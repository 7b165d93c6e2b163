/* Numbers that sizes which only a run knows are taken for (open_sizes.c). */
#ifndef TILEWRIGHT_OPEN_SIZES_H
#define TILEWRIGHT_OPEN_SIZES_H

#include "Transforms/Partition/written_blocks.h"

enum { TT_SIZE_TRIALS = 3 };

/* Sets the sizes of `tensor`, and all others, for one of the trials. */
void tt_try_sizes(TtWritten *w, const TtArg *tensor, int trial);

/* Whether a write goes on where a larger tensor does, along all dimensions of open size. */
bool tt_grows(const TtTouch *t);

#endif
