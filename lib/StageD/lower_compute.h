/* D3 on a compute kernel. */
#ifndef TILEWRIGHT_LOWER_COMPUTE_H
#define TILEWRIGHT_LOWER_COMPUTE_H

#include "stage_d.h"

bool tt_lower_compute(TtArena *arena, MlirOperation program, MlirOperation func);

#endif
