/* Of sums that an output of a linalg op holds, and how often they are added to (running_sums.c). */
#ifndef TILEWRIGHT_RUNNING_SUMS_H
#define TILEWRIGHT_RUNNING_SUMS_H

#include "tilewright/ir.h"

/* How many steps loop `dim` of the op has, or -1. */
int64_t tt_steps_of(MlirOperation linalg, int64_t dim);
/* The most that loops around `op` go round below `top`, times those of `op` itself that sum. */
bool tt_rounds(MlirOperation op, MlirBlock top, int64_t *n);
/* Whether `value` of the body is what output `out` holds, also as an input. */
bool tt_is_old(MlirOperation linalg, MlirValue value, intptr_t out);
/* What `value` is a cast of, to more bits or fewer. */
MlirValue tt_without_casts(MlirValue value);
/* Whether output `out`, of which the body yields `given`, becomes `sum`, or stays as it is. */
bool tt_becomes(MlirOperation linalg, MlirValue given, MlirValue sum, intptr_t out);

#endif
