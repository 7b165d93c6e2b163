/* Products of integers of 32 bits that have 64 (wide_products.c). */
#ifndef TILEWRIGHT_WIDE_PRODUCTS_H
#define TILEWRIGHT_WIDE_PRODUCTS_H

#include "tilewright/ir.h"

/* Makes arith.mului_extended, arith.mulsi_extended and upper halves of products of 64 bits in
 * `kernel` products of halves; false after an error. */
bool tt_expand_wide_products(TtArena *arena, MlirOperation kernel);

#endif
