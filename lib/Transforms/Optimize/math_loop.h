/* Loops of compute kernels that do nothing but compute, as those that sum products. */
#ifndef TILEWRIGHT_MATH_LOOP_H
#define TILEWRIGHT_MATH_LOOP_H

#include "tilewright/ir.h"

/* Whether `op` is a loop of ops on tiles of DST, index arithmetic, and other such loops. */
bool tt_is_math_loop(MlirOperation op);

/* Whether a wait, pop, reserve or push is for one page. */
bool tt_counts_one(MlirOperation op);

#endif
