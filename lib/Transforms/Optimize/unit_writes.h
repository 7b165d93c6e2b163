/* Whether the writer of a kernel of level 2 can bring what a unit needs before it writes the
 * results of the unit before (unit_writes.c). */
#ifndef TILEWRIGHT_UNIT_WRITES_H
#define TILEWRIGHT_UNIT_WRITES_H

#include "Analysis/dfg.h"
#include "Analysis/sharing.h"

/* How many units the busiest core has. */
int64_t tt_most_units(const TtCoreTable *cores);
/* Whether each core has one unit, or --tt-write-behind can have results wait: they are written
 * behind all reads of a unit, from circular buffers with room for two blocks, to tensors of which
 * nothing is read. */
bool tt_can_write_behind(TtArena *arena, const TtDfg *dfg, const TtCoreTable *cores);

#endif
