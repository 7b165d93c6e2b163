/* The row of the API table that an op becomes. */
#ifndef TILEWRIGHT_API_ROW_H
#define TILEWRIGHT_API_ROW_H

#include "Target/api_table.h"

#include "mlir-c/IR.h"

/* The row of an op, or NULL for ops that are no call. */
const TtApiRow *tt_api_row(MlirOperation op);

#endif
