/* The values that an index may take, from loops and grids of constant bounds (index_range.c). */
#ifndef TILEWRIGHT_INDEX_RANGE_H
#define TILEWRIGHT_INDEX_RANGE_H

#include "Analysis/kernel.h"

typedef struct TtIndexRange {
  int64_t least, most;
} TtIndexRange;

/* False where nothing is known. */
bool tt_index_range(TtArena *arena, MlirValue index, TtIndexRange *range);

#endif
