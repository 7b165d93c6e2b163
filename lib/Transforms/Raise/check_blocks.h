/* Steps of parallel loops inside of a cell that meet in blocks (check_blocks.c). */
#ifndef TILEWRIGHT_CHECK_BLOCKS_H
#define TILEWRIGHT_CHECK_BLOCKS_H

#include "tilewright/ir.h"

/* Of ops on blocks in `loop` with each other, and with loads and stores. False after an error. */
bool tt_check_blocks(TtArena *arena, MlirOperation kernel, MlirOperation loop);
/* "(1, 0)", in the two characters of `ends` */
const char *tt_list_text(TtArena *arena, const char *ends, const int64_t *x, intptr_t n);

#endif
