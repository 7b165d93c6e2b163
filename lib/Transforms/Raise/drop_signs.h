/* Quotients of indices that are never below zero (drop_signs.c). */
#ifndef TILEWRIGHT_DROP_SIGNS_H
#define TILEWRIGHT_DROP_SIGNS_H

#include "tilewright/ir.h"

/* Makes `op`, a quotient or rest with signs, one without, where ranges allow that; other ops stay.
 */
void tt_drop_signs(TtArena *arena, MlirOperation op);

#endif
