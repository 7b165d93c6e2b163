/* Copies of blocks from one circular buffer to another, for passes that take them away (copies.c).
 */
#ifndef TILEWRIGHT_COPIES_H
#define TILEWRIGHT_COPIES_H

#include "Analysis/dfg.h"

/* Changes the kernel so that `op`, which copies `from` to `to` as it is, is gone; false where that
 * cannot be, and nothing is changed. */
typedef bool (*TtTakeCopy)(TtArena *arena, const TtDfg *dfg, MlirOperation op, const TtCB *from,
                           const TtCB *to);
/* Shows each copy of a kernel of level 2 to `take`, with the kernel's data flow as it is by then;
 * false after an error. */
bool tt_take_copies(TtArena *arena, MlirOperation func, TtTakeCopy take);

#endif
