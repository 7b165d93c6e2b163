/* Loops that have one step (unwrap.c). */
#ifndef TILEWRIGHT_UNWRAP_H
#define TILEWRIGHT_UNWRAP_H

#include "tilewright/ir.h"

/* Puts what an scf.for holds before it, for its first step, which begins at 0, and erases it. */
void tt_unwrap(MlirOperation loop);
/* Whether `value` says that an scf.for is not in its first step: %i != its lower bound, a constant.
 */
bool tt_is_later_step(MlirValue value, MlirOperation loop);

#endif
