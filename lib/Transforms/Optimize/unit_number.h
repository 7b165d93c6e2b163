/* The number of a unit, where a kernel had one, which did not ask for it (unit_number.c). */
#ifndef TILEWRIGHT_UNIT_NUMBER_H
#define TILEWRIGHT_UNIT_NUMBER_H

#include "tilewright/ir.h"

/* Whether a kernel of one unit, behind B2, may be one of several: it has a loop over its units, or
 * neither a grid nor a loop. */
bool tt_can_number_unit(TtArena *arena, MlirOperation func);
/* start_id + the place in the loop over units, which is made where there is none. */
MlirValue tt_number_unit(TtArena *arena, MlirOperation func);

#endif
