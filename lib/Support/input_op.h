/* Which op of the input an op was, after passes have made others of it. */
#ifndef TILEWRIGHT_INPUT_OP_H
#define TILEWRIGHT_INPUT_OP_H

#include "mlir-c/IR.h"

/* A location that says so: `loc` under the op's name. */
MlirLocation tt_name_input_op(MlirLocation loc, MlirStringRef op);
/* The name that a location has, "tosa.matmul"; of several (ops made one) the first. Empty where
 * it has none. Lives as long as the context. */
MlirStringRef tt_input_op(MlirLocation loc);

#endif
