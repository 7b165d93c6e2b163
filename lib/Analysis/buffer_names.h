/* Which buffers a value of memref type may be (buffer_names.c). */
#ifndef TILEWRIGHT_BUFFER_NAMES_H
#define TILEWRIGHT_BUFFER_NAMES_H

#include "Analysis/same_element.h"

/* Whether `memref` can only be a buffer that is made inside of `loop`. */
bool tt_is_own_buffer(TtArena *arena, MlirOperation loop, MlirValue memref);
/* Whether two values, of which none is a view, are one buffer: TT_MEET where they are so at least
 * once, element by element. */
TtMeets tt_are_one_buffer(TtArena *arena, MlirValue a, MlirValue b);

#endif
