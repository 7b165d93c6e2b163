/* Values that loops carry and branches give (carried.c). */
#ifndef TILEWRIGHT_CARRIED_H
#define TILEWRIGHT_CARRIED_H

#include "tilewright/ir.h"

/* Turns indices that loops of `kernel` carry from step to step into expressions of the step, and
 * indices that branches give into choices. What is no such index stays. */
void tt_expand_carried(TtArena *arena, MlirOperation kernel);
/* Lets buffers that loops carry from step to step stay where they are, and copies what they hold
 * (carried_buffers.c). False after an error: two of them may be one. */
bool tt_settle_buffers(TtArena *arena, MlirOperation kernel);

#endif
