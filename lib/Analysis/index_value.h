/* What index arithmetic is where the values that it is made of are known (index_value.c). */
#ifndef TILEWRIGHT_INDEX_VALUE_H
#define TILEWRIGHT_INDEX_VALUE_H

#include "tilewright/ir.h"

enum { TT_MAX_KNOWN = 32 };

/* Values, such as variables of loops in one step, and what they are. */
typedef struct TtKnown {
  MlirValue values[TT_MAX_KNOWN];
  int64_t at[TT_MAX_KNOWN];
  int n;
} TtKnown;

/* What `value`, an index, an integer or the result of a comparison, is; false where that is made of
 * something else than constants and what is known. */
bool tt_index_value(const TtKnown *known, MlirValue value, int64_t *out);

#endif
