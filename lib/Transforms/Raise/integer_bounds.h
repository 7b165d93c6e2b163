/* What integers in the body of a linalg op may be (integer_bounds.c). */
#ifndef TILEWRIGHT_INTEGER_BOUNDS_H
#define TILEWRIGHT_INTEGER_BOUNDS_H

#include "tilewright/ir.h"

typedef struct TtBounds {
  int64_t lo, hi; /* both included */
} TtBounds;

/* Of `value`, with its sign, in the body of `linalg` or outside of it; false where nothing is
 * known, or it may not fit 64 bits. */
bool tt_integer_bounds(MlirOperation linalg, MlirValue value, TtBounds *bounds);

#endif
