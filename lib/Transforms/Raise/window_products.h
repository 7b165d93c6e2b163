/* Convolutions of integers, as products of matrices (window_products.c). */
#ifndef TILEWRIGHT_WINDOW_PRODUCTS_H
#define TILEWRIGHT_WINDOW_PRODUCTS_H

#include "tilewright/ir.h"

/* Whether `op`, of maps `maps`, sums products over windows: channels of both operands are summed,
 * and each has loops of the result that the other one has not. */
bool tt_is_window_product(MlirOperation op, MlirAttribute maps);
/* Takes the steps of those of integers in `kernel` that are linalg.generic. */
void tt_step_window_products(TtArena *arena, MlirOperation kernel);

#endif
