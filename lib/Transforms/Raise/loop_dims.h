/* Loops, and dimensions of parallel ones, that go from 0 on, one by one (loop_dims.c). */
#ifndef TILEWRIGHT_LOOP_DIMS_H
#define TILEWRIGHT_LOOP_DIMS_H

#include "Analysis/kernel.h"

/* A loop, or one dimension of a parallel one, from 0 on, one by one, to `extent`. */
typedef struct TtLoopDim {
  MlirOperation op;
  intptr_t dim;
  MlirBlock body;
  MlirValue iv;
  int64_t extent;
} TtLoopDim;

/* Dimension `d` of loop `op`; false where it is no loop, or one of other bounds. */
bool tt_loop_dim(MlirOperation op, intptr_t d, TtLoopDim *loop);
/* How many dimensions `op` has as a loop; 0 for other ops. */
intptr_t tt_num_loop_dims(MlirOperation op);
/* Gives the loop so many steps. */
void tt_set_extent(const TtLoopDim *loop, int64_t n);

#endif
