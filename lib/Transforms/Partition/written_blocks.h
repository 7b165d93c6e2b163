/* The blocks of a tensor that a kernel writes, step by step (written_blocks.c). */
#ifndef TILEWRIGHT_WRITTEN_BLOCKS_H
#define TILEWRIGHT_WRITTEN_BLOCKS_H

#include "Analysis/index_value.h"
#include "Analysis/touches.h"

typedef struct TtWrittenBlock TtWrittenBlock;

/* Of one tensor; start with the arena, the sizes and the touches, the rest being zero. */
typedef struct TtWritten {
  TtArena *arena;
  MlirOperation func;
  const TtTouches *touches; /* of the kernel */
  intptr_t rank;
  int64_t whole[TT_MAX_RANK]; /* the sizes of the tensor */
  TtKnown sizes;              /* what else is known before the first step */
  TtWrittenBlock *blocks;     /* those that are alike may stand here several times */
  intptr_t n, capacity;
  int64_t steps;
} TtWritten;

/* Adds the blocks that a write has in all of its steps; false, and none, where they are not known,
 * or are too many. */
bool tt_add_written(TtWritten *w, const TtTouch *write);
/* Whether the blocks, which may meet each other, are all of the tensor. False where that takes too
 * long to tell. */
bool tt_is_all_written(const TtWritten *w);

#endif
