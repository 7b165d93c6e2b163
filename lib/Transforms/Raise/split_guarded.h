/* Stores of few cells of a grid over elements, and moves in it (split_guarded.c). */
#ifndef TILEWRIGHT_SPLIT_GUARDED_H
#define TILEWRIGHT_SPLIT_GUARDED_H

#include "tilewright/ir.h"

/* Makes branches in `grid`, a parallel loop around all, grids behind it, where only steps with one
 * value of a variable take them and store to tensors of their own. `grid` may be gone then. */
void tt_split_guarded(TtArena *arena, MlirOperation grid);
/* Makes what reads a tensor in `grid`, of which the grid has moved elements before, a grid behind
 * it.
 */
void tt_split_moves(TtArena *arena, MlirOperation grid);

#endif
