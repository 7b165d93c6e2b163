/* The values that integers may hold: tt.range = [lo, hi], both included, on an argument. */
#ifndef TILEWRIGHT_RANGES_H
#define TILEWRIGHT_RANGES_H

#include "tilewright/ir.h"

typedef struct TtRange {
  int64_t lo, hi;
  bool given; /* else all that the type holds; of an index, what is not below zero */
} TtRange;

/* Of argument `i` of a function. */
TtRange tt_arg_range(MlirOperation func, intptr_t i);
/* Of argument `name`, of this type, of a tt.program. */
TtRange tt_program_range(MlirOperation program, const char *name, MlirType type);

#endif
