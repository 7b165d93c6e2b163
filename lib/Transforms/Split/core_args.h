/* What D1 says of the host: tt.core_args (core_args.c). */
#ifndef TILEWRIGHT_SPLIT_CORE_ARGS_H
#define TILEWRIGHT_SPLIT_CORE_ARGS_H

#include "tilewright/ir.h"

/* Makes the tt.core_args of a program at `members`, from the metadata of stage B on `program` and
 * the names that `func`, the kernel it was, reads. False after an error: it reads what nothing
 * gives. */
bool tt_create_core_args(TtArena *arena, TtBuilder *members, MlirOperation program,
                         MlirOperation func);

#endif
