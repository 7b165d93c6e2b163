/* Shifts and ops on bits of indices, as sums, quotients, rests and extremes (index_bits.c). */
#ifndef TILEWRIGHT_INDEX_BITS_H
#define TILEWRIGHT_INDEX_BITS_H

#include "tilewright/ir.h"

/* Replaces `op`, where it is one of arith on indices; false after an error. */
bool tt_expand_bits(TtArena *arena, MlirOperation op);

#endif
