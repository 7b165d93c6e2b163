/* Room in circular buffers for more blocks than they were made for (cb_room.c). */
#ifndef TILEWRIGHT_CB_ROOM_H
#define TILEWRIGHT_CB_ROOM_H

#include "tilewright/ir.h"

/* A circular buffer grows to hold `pages`, in whole groups of `group`; so does the geometry that
 * the program has for its tensor. */
void tt_grow_cb(TtArena *arena, MlirOperation program, MlirOperation cb, int64_t pages,
                int64_t group);

#endif
