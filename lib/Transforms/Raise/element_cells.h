/* Cells of grids that go over elements (element_cells.c, onto_tiles.c). */
#ifndef TILEWRIGHT_ELEMENT_CELLS_H
#define TILEWRIGHT_ELEMENT_CELLS_H

#include "Analysis/same_element.h"

/* Bounds of a parallel loop, whose block has its variables first. */
typedef struct TtParallel {
  MlirOperation op;
  intptr_t dims;
  MlirValue lower[TT_PARALLEL_DIMS], upper[TT_PARALLEL_DIMS], step[TT_PARALLEL_DIMS];
} TtParallel;

/* Has a parallel loop over elements of a part of a result go over all of it, so that its cells are
 * tiles of that (onto_tiles.c). */
void tt_move_onto_tiles(TtArena *arena, TtParallel *nest);
/* Gives each cell a block of the elements that a parallel loop goes over. */
void tt_take_blocks(TtArena *arena, TtParallel *nest);

#endif
