/* Shifts and ops on bits of indices, as sums, quotients, rests and extremes (index_bits.c). */
#ifndef TILEWRIGHT_INDEX_BITS_H
#define TILEWRIGHT_INDEX_BITS_H

#include "Analysis/index_range.h"

/* What both operands of an op may be, said before what they are made of is replaced, which then
 * says less. */
typedef struct TtBitRanges {
  bool known[2];
  TtIndexRange of[2];
} TtBitRanges;

TtBitRanges tt_bit_ranges(TtArena *arena, MlirOperation op);
/* Replaces `op`, where it is one of arith on indices; false after an error. */
bool tt_expand_bits(TtArena *arena, MlirOperation op, const TtBitRanges *ranges);

#endif
