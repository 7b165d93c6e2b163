/* What an op of a compute kernel takes on level 3, before inits are there (op_clk.c). */
#ifndef TILEWRIGHT_OP_CLK_H
#define TILEWRIGHT_OP_CLK_H

#include "tilewright/ir.h"

/* Clk of unpack and of the vector unit, which are what row kernels wait for, of an op and what is
 * in it; a loop whose steps are not known counts once, a branch as if both ways were taken. */
double tt_op_clk(MlirOperation program, MlirOperation op);

#endif
