/* Circular buffers that are never alive together, and may take turns in one. */
#ifndef TILEWRIGHT_TURNS_H
#define TILEWRIGHT_TURNS_H

#include "Analysis/dfg.h"

typedef struct TtTurns {
  intptr_t *to; /* of each circular buffer of the graph: itself, or the one whose pages it takes */
  intptr_t n;   /* how many are left */
} TtTurns;
/* Those that compute fills for itself; with `moved`, those that are read and written, too. Partial
 * sums keep theirs. */
TtTurns tt_find_turns(const TtDfg *dfg, bool moved);
/* An op that becomes copies of tiles to DST; a turned one goes through the source registers. */
bool tt_copies_tiles(MlirOperation op);
/* Whether the numbers of a circular buffer have 32 bits and go to a DST as wide as they are, past
 * the source registers of the FPU: all that take them copy tiles. */
bool tt_keeps_32_bits(const TtDfg *dfg, const TtCB *cb);
/* Blocks of a circular buffer and of those that go to it: of the deepest. */
int64_t tt_depth_in_turns(const TtDfg *dfg, const TtTurns *turns, intptr_t cb);

#endif
