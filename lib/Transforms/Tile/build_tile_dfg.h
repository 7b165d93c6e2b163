/* C3 on one kernel; D1 calls it for kernels that enter at level 2. */
#ifndef TILEWRIGHT_BUILD_TILE_DFG_H
#define TILEWRIGHT_BUILD_TILE_DFG_H

#include "Analysis/dfg.h"

/* Sets tt.tile_dfg. False after an error. */
bool tt_build_dfg(TtArena *arena, MlirOperation func);

#endif
