/* What the ops of a kernel do with one of its buffers (buffer_uses.c). */
#ifndef TILEWRIGHT_BUFFER_USES_H
#define TILEWRIGHT_BUFFER_USES_H

#include "Transforms/Tile/lowering.h"

/* What an op does with a buffer. */
typedef struct TtUse {
  MlirOperation op;
  bool reads, writes, fills;
  bool sums; /* adds to what is there */
} TtUse;

typedef struct TtUses {
  TtUse *data;
  intptr_t n;
  TtOps fresh; /* sums that need no value before */
} TtUses;

/* The uses of a buffer in program order, each op once. `places` has all ops of the kernel. False
 * after an error. */
bool tt_collect_uses(TtLowering *l, const TtOpMap *places, MlirValue buffer, TtUses *uses);
/* Takes fills out that are no values of their own: of what the next op overwrites, or sums from. */
void tt_absorb_fills(TtLowering *l, TtUses *uses);

#endif
