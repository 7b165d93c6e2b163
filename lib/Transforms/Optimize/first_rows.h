/* Blocks of which only the first rows of tiles are taken (read_first_rows.c). */
#ifndef TILEWRIGHT_FIRST_ROWS_H
#define TILEWRIGHT_FIRST_ROWS_H

#include "tilewright/ir.h"

/* Whether all that takes the block which `read` brings broadcasts the first rows of its tiles, so
 * that --tt-read-first-rows brings no others. */
bool tt_takes_first_rows_only(TtArena *arena, MlirOperation func, MlirOperation read);

#endif
