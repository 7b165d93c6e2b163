/* Loops that take the tiles of a block in their order (tile_order.c). */
#ifndef TILEWRIGHT_TILE_ORDER_H
#define TILEWRIGHT_TILE_ORDER_H

#include "tilewright/ir.h"

/* Whether the loops around `op`, up to `loop`, have it take tile 0, 1, … up to `tiles` - 1, where
 * it takes `at_once` of them from `tile` on. */
bool tt_takes_in_order(TtArena *arena, MlirOperation op, MlirOperation loop, MlirValue tile,
                       int64_t tiles, int64_t at_once);

#endif
