/* An index as a quotient and a rest (quotient_parts.c). */
#ifndef TILEWRIGHT_QUOTIENT_PARTS_H
#define TILEWRIGHT_QUOTIENT_PARTS_H

#include "Transforms/Raise/elements.h"

#include "mlir-c/AffineExpr.h"

/* %iv = %q * by + %r, where %r is a value or the number `rest`. */
typedef struct TtParts {
  MlirContext context;
  int64_t by, rest;
  MlirValue q, r;
  MlirAffineExpr quotient, remainder; /* while a map is changed */
} TtParts;

/* Whether an expression, or an op on indices, is a quotient or a rest. */
bool tt_is_quotient(MlirAffineExpr e);
bool tt_divides(MlirOperation op);
bool tt_takes_rest(MlirOperation op);
/* Whether all quotients and rests of dimension `dim` in `e` are by numbers by which a loop of
 * `extent` steps is two (split_quotients.c). */
bool tt_splits_evenly(MlirAffineExpr e, intptr_t dim, int64_t extent);
/* Puts the parts in place of `iv` in `scope`; `b` is where they are known. All divisors of `iv`
 * there divide `by`, or are multiples of it. */
void tt_use_parts(TtArena *arena, TtParts p, TtBuilder b, MlirOperation scope, MlirValue iv);

#endif
