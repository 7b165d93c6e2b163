/* Finding one's way among the members of a tt.program. */
#ifndef TILEWRIGHT_MEMBERS_H
#define TILEWRIGHT_MEMBERS_H

#include "tilewright/dialects.h"
#include "tilewright/ir.h"

/* The tt.program around an op, the op itself included, or null. */
MlirOperation tt_program_of(MlirOperation op);
/* The tt.circular_buffer of this name, or null. */
MlirOperation tt_program_cb(MlirOperation program, MlirStringRef name);
/* The tt.core_args of a program, or null. */
MlirOperation tt_program_core_args(MlirOperation program);
/* The tt.core_set that a kernel, circular buffer or semaphore of a program names, or null. */
MlirOperation tt_core_set_of(MlirOperation program, MlirOperation member);

#endif
