/* Ops that write what they read at another place (check_ops.c). */
#ifndef TILEWRIGHT_CHECK_OPS_H
#define TILEWRIGHT_CHECK_OPS_H

#include "tilewright/ir.h"

/* Whether the body of a structured op takes operand `i`; true where it has none. */
bool tt_takes_operand(MlirOperation op, intptr_t i);
/* False after an error. */
bool tt_check_op(MlirOperation linalg);

#endif
