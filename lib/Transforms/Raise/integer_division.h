/* Quotients and rests of integers: by constants (integer_division.c), by others
 * (integer_quotient.c). */
#ifndef TILEWRIGHT_INTEGER_DIVISION_H
#define TILEWRIGHT_INTEGER_DIVISION_H

#include "tilewright/ir.h"

typedef enum TtRounds { TT_DOWN, TT_TO_ZERO, TT_UP } TtRounds;

typedef struct TtDivision {
  const char *op;
  bool rest, is_unsigned;
  TtRounds rounds;
} TtDivision;

/* Whether `op` divides integers. */
bool tt_division_of(MlirOperation op);
/* In the body of `linalg`, makes a quotient or a rest, of 8, 16 or 32 bits, what the vector unit
 * has; false, and nothing changed, where `op` is another one. */
bool tt_expand_division(TtArena *arena, MlirOperation linalg, MlirOperation op);
/* The same of all in the body of `linalg`, which another op may replace; false where there are none
 * (expand_divisions.c). */
bool tt_expand_divisions(TtArena *arena, MlirOperation linalg);
/* The same as tt_expand_division of one whose divisor is no constant, or any other one but 0. */
bool tt_expand_quotient(TtArena *arena, MlirOperation linalg, MlirOperation op,
                        const TtDivision *d);

#endif
