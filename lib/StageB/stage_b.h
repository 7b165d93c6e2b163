/* What stage D calls for kernels that enter at level 2. */
#ifndef TILEWRIGHT_STAGE_B_H
#define TILEWRIGHT_STAGE_B_H

#include "tilewright/kernel.h"

/* The grid of a kernel: cells along x, y, z and the loop, if any. */
typedef struct TtGrid {
  int64_t cells[3];
  int dims; /* of the loop; 0 without one */
  MlirOperation loop; /* scf.forall, or null */
} TtGrid;
bool tt_find_grid(TtArena *arena, MlirOperation func, TtGrid *grid);
/* B1 on one kernel. */
bool tt_partition_kernel(TtArena *arena, MlirOperation func);

#endif
