/* What a value is computed from. A value may be used again and again on the way: each is there
 * once, so that the answer takes as long as there are values, not paths. */
#ifndef TILEWRIGHT_MADE_OF_H
#define TILEWRIGHT_MADE_OF_H

#include "Support/value_map.h"

typedef struct TtValues {
  MlirValue *data;
  intptr_t n, capacity;
} TtValues;

void tt_values_add(TtArena *arena, TtValues *values, MlirValue value);

/* Whether operands of `op` are looked at as well. */
typedef bool (*TtGoesOn)(const void *data, MlirOperation op);

/* `value`, and the operands of ops it comes from for which `through` says so (NULL: all ops), and
 * theirs: each before its operands, these in their order. */
TtValues tt_made_of(TtArena *arena, MlirValue value, TtGoesOn through, const void *data);
/* Whether `of` is among all that `value` is made of. */
bool tt_is_made_of(TtArena *arena, MlirValue value, MlirValue of);

#endif
