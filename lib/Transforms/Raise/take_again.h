/* Wide buffers of a core, whose values are taken from tensors again (take_again.c). */
#ifndef TILEWRIGHT_TAKE_AGAIN_H
#define TILEWRIGHT_TAKE_AGAIN_H

#include "tilewright/ir.h"

/* Has ops of `kernel` take from tensors, or compute again, what buffers hold that are longer than
 * `size` in a dimension, where that is the same. */
void tt_take_again(TtArena *arena, MlirOperation kernel, int64_t size);

#endif
