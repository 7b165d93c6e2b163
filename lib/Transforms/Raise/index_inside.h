/* Indices of loads that are done whether anybody takes what they load or not. */
#ifndef TILEWRIGHT_INDEX_INSIDE_H
#define TILEWRIGHT_INDEX_INSIDE_H

#include "Analysis/index_range.h"
#include "tilewright/builder.h"

/* `index`, which is in `range`, or the nearest of 0 to `last`, where it may be outside of these:
 * unchanged where it cannot. */
MlirValue tt_index_inside(TtBuilder *b, MlirLocation loc, MlirValue index, TtIndexRange range,
                          int64_t last);

#endif
