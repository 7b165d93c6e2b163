/* Indices of one type, in one dialect (unify_indices.c). */
#ifndef TILEWRIGHT_UNIFY_INDICES_H
#define TILEWRIGHT_UNIFY_INDICES_H

#include "tilewright/ir.h"

/* Whether `op` is not in the body of a linalg op, where elements are computed. */
bool tt_is_control(MlirOperation op);
/* Makes arithmetic of the index dialect, and of integers that become indices, arith ops on
 * indices. */
void tt_unify_indices(TtArena *arena, MlirOperation kernel);

#endif
