/* What a host function computes with numbers, in C++. */
#ifndef TILEWRIGHT_HOST_OPS_H
#define TILEWRIGHT_HOST_OPS_H

#include "tilewright/ir.h"

/* The C++ of an op on numbers, with $0, $1, … for its operands, $t for the type of its
 * result and $u for that of its first operand without a sign; NULL where it has none. */
const char *tt_host_op_text(MlirOperation op);
/* "int64_t", "float", …: the C++ type of a number, or NULL where it has none. */
const char *tt_host_number_type(MlirType type);
/* The same without a sign, of an integer. */
const char *tt_host_unsigned_type(MlirType type);
/* Whether an op may stand in a host function. */
bool tt_is_host_op(MlirOperation op);

#endif
