/* Cells of grids that go over elements (element_cells.c). */
#ifndef TILEWRIGHT_ELEMENT_CELLS_H
#define TILEWRIGHT_ELEMENT_CELLS_H

#include "tilewright/ir.h"

enum { TT_PARALLEL_DIMS = 8 };

/* Bounds of a parallel loop, whose block has its variables first. */
typedef struct TtParallel {
  MlirOperation op;
  intptr_t dims;
  MlirValue lower[TT_PARALLEL_DIMS], upper[TT_PARALLEL_DIMS], step[TT_PARALLEL_DIMS];
} TtParallel;

/* Gives each cell a block of the elements that a parallel loop goes over. */
void tt_take_blocks(TtArena *arena, TtParallel *nest);

#endif
