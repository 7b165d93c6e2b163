/* Views that kernels cannot read block by block, so that the host function moves their elements. */
#ifndef TILEWRIGHT_MOVED_VIEWS_H
#define TILEWRIGHT_MOVED_VIEWS_H

#include "tilewright/ir.h"

/* Reshapes at the top of `func`, of a tensor that comes from outside of its grids, whose blocks are
 * no blocks of that tensor (those that are become such); that no grid writes through, and whose
 * tensor is complete when the first grid reads them. */
TtOps tt_moved_views(TtArena *arena, MlirOperation func, TtOps grids);

#endif
