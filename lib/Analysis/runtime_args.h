/* The runtime arguments of a kernel of a program. */
#ifndef TILEWRIGHT_RUNTIME_ARGS_H
#define TILEWRIGHT_RUNTIME_ARGS_H

#include "tilewright/ir.h"

/* Names, in the order in which the host passes them. */
typedef struct TtRuntimeArgs {
  const char **names;
  intptr_t n;
} TtRuntimeArgs;

/* What a kernel takes: addresses of its tensors and its scalars, in the order of its arguments;
 * then of what it reads the sizes of dynamic dimensions, in the order of the program's arguments,
 * and what tt.core_args gives, in its order. */
TtRuntimeArgs tt_runtime_args_of(TtArena *arena, MlirOperation kernel);
/* The place of a name; -1 where it is not among them. */
intptr_t tt_runtime_arg_place(const TtRuntimeArgs *args, MlirStringRef name);
/* Whether tt.runtime_args, where a kernel has it, is that list, and each tt.runtime_arg stands at
 * its place in it, where it has one. False after an error. */
bool tt_check_runtime_args(TtArena *arena, MlirOperation kernel, const TtRuntimeArgs *args);

#endif
