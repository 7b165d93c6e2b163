/* Circular buffers of level 2 that take turns. */
#ifndef TILEWRIGHT_SHARE_BUFFERS_H
#define TILEWRIGHT_SHARE_BUFFERS_H

#include "tilewright/ir.h"

/* Whether the chip and L1 have room for the circular buffers of a kernel, where as many take turns
 * as can, for those that later passes add, and for `spare` more. True where that is not known,
 * since the kernel has errors, which are not reported here. */
bool tt_buffers_fit(TtArena *arena, MlirOperation func, int64_t spare);

#endif
