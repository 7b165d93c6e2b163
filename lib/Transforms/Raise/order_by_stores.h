/* Loops in the order of what they store. */
#ifndef TILEWRIGHT_ORDER_BY_STORES_H
#define TILEWRIGHT_ORDER_BY_STORES_H

#include "Analysis/kernel.h"

/* Has the loop right around `load` go around those around it that stores have behind it, where
 * steps are independent (order_by_stores.c). Whether it did. */
bool tt_order_by_stores(TtArena *arena, MlirOperation load);

#endif
