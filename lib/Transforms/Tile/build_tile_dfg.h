/* C3 on one kernel; the step into level 2 and D1 use it as well. */
#ifndef TILEWRIGHT_BUILD_TILE_DFG_H
#define TILEWRIGHT_BUILD_TILE_DFG_H

#include "Analysis/dfg.h"

/* Sets tt.tile_dfg, and the names of circular buffers to those of the graph. False after an
 * error. */
bool tt_build_dfg(TtArena *arena, MlirOperation func);
/* The attribute that says what `dfg` is, whose buffers have ids. */
MlirAttribute tt_dfg_attr(TtDfg *dfg);

#endif
