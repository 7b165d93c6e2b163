/* Differences that a maximum keeps from being positive (below_maximum.c). */
#ifndef TILEWRIGHT_BELOW_MAXIMUM_H
#define TILEWRIGHT_BELOW_MAXIMUM_H

#include "tilewright/ir.h"

/* Whether `value`, of the body of a linalg op on memrefs, is an element less the largest of
 * elements of which it is one, or more than that: never above zero, but for the rounding of the
 * maximum where it is stored. */
bool tt_is_below_maximum(MlirOperation op, MlirValue value);

#endif
