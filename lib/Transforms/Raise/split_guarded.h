/* Stores of few cells of a grid over elements (split_guarded.c). */
#ifndef TILEWRIGHT_SPLIT_GUARDED_H
#define TILEWRIGHT_SPLIT_GUARDED_H

#include "tilewright/ir.h"

/* Makes branches in `grid`, a parallel loop around all, grids behind it, where only steps with one
 * value of a variable take them and store to tensors of their own. `grid` may be gone then. */
void tt_split_guarded(TtArena *arena, MlirOperation grid);

#endif
