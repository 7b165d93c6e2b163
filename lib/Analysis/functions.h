/* Scalar expressions that are a function of the chip's vector unit. */
#ifndef TILEWRIGHT_FUNCTIONS_H
#define TILEWRIGHT_FUNCTIONS_H

#include "Analysis/kernel.h"

/* `name` is that of tt_sfpu_function(). */
typedef struct TtFunctionMatch {
  const char *name;
  MlirValue argument;
  bool approximate; /* less accurate than the expression */
  bool wide;        /* as accurate in DST of 32 bits only: in 16 it truncates */
} TtFunctionMatch;

/* Whether the result of `op`, with the ops that compute its operands, is a function of one value:
 * sigmoid, silu, tanh, gelu, softplus, reciprocals and squares, in the forms of functions.c. */
bool tt_match_function(MlirOperation op, TtFunctionMatch *match);

#endif
