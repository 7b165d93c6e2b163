/* Buffers of which nobody takes more than a corner (corner_buffers.c). */
#ifndef TILEWRIGHT_CORNER_BUFFERS_H
#define TILEWRIGHT_CORNER_BUFFERS_H

#include "tilewright/ir.h"

/* Makes those in `kernel` as large as the corners. */
void tt_shrink_corner_buffers(TtArena *arena, MlirOperation kernel);

#endif
