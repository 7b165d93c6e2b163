/* A value of a body in a buffer of its own (compute_apart.c). */
#ifndef TILEWRIGHT_COMPUTE_APART_H
#define TILEWRIGHT_COMPUTE_APART_H

#include "tilewright/ir.h"

/* Computes `value`, of the body of the linalg.generic `op`, in an op before it, whose result the
 * body takes as one more input: the op that replaces `op`. A null op, and nothing changed, where
 * `op` is another one, sums, or has sizes that nothing says. */
MlirOperation tt_compute_apart(MlirOperation op, MlirValue value);

#endif
