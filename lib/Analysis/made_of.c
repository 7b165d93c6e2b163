/*===- made_of.c - what a value is computed from ----------------------------------------------===
 *
 *   %p = arith.mulf %x, %y
 *   %q = arith.subf %two, %p
 *   %z = arith.mulf %y, %q           %z is made of: %z, %y, %q, %two, %p, %x
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/made_of.h"

void tt_values_add(TtArena *arena, TtValues *values, MlirValue value) {
  if (values->n == values->capacity) {
    values->capacity = 2 * values->capacity + 16;
    MlirValue *more = tt_arena_alloc(arena, (size_t)values->capacity * sizeof *more);
    for (intptr_t i = 0; i < values->n; ++i) more[i] = values->data[i];
    values->data = more;
  }
  values->data[values->n++] = value;
}

TtValues tt_made_of(TtArena *arena, MlirValue value, TtGoesOn through, const void *data) {
  TtValues found = {NULL, 0, 0}, waiting = {NULL, 0, 0};
  TtValueMap seen = {NULL, 0, 0};
  tt_values_add(arena, &waiting, value);
  while (waiting.n > 0) {
    MlirValue next = waiting.data[--waiting.n];
    if (tt_value_map_get(&seen, next) >= 0) continue;
    tt_value_map_set(arena, &seen, next, 1);
    tt_values_add(arena, &found, next);
    MlirOperation op = tt_defining_op(next);
    if (mlirOperationIsNull(op) || (through && !through(data, op))) continue;
    for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;)
      tt_values_add(arena, &waiting, mlirOperationGetOperand(op, i));
  }
  return found;
}

bool tt_is_made_of(TtArena *arena, MlirValue value, MlirValue of) {
  TtValues all = tt_made_of(arena, value, NULL, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_value_eq(all.data[i], of)) return true;
  return false;
}
