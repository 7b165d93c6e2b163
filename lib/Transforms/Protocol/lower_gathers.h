/* Tiles that the cores of a group give each other (lower_gathers.c). */
#ifndef TILEWRIGHT_LOWER_GATHERS_H
#define TILEWRIGHT_LOWER_GATHERS_H

#include "Analysis/program.h"

/* Lowers the tt.gather_parts of a kernel; false after an error. */
bool tt_lower_gathers(TtArena *arena, MlirOperation program, MlirOperation kernel);

#endif
