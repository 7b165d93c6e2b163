/* Quotients and rests of integers by constants (integer_division.c). */
#ifndef TILEWRIGHT_INTEGER_DIVISION_H
#define TILEWRIGHT_INTEGER_DIVISION_H

#include "tilewright/ir.h"

/* Whether `op` divides integers. */
bool tt_division_of(MlirOperation op);
/* In the body of `linalg`, makes a quotient or a rest by a constant, of 8, 16 or 32 bits, what the
 * vector unit has; false, and nothing changed, where `op` is another one. */
bool tt_expand_division(TtArena *arena, MlirOperation linalg, MlirOperation op);

#endif
